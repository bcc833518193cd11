package tutor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// mostFacts limits the facts of one turn.
const mostFacts = 40

// A fact is something that a text says about the learner's program, in a form that can be measured.
type fact struct {
	Kind       string     `json:"kind" jsonschema:"line: a line has code or is in something; value: an element or an expression has a value; access: an element is read or written; runs: how often a line runs; count: how many there are; case: a case is right or wrong; changes: what an edit does"`
	Line       int        `json:"line,omitempty" jsonschema:"the line of the learner's program; for line and count, any line unless given; for value, where an expression has the value"`
	Has        string     `json:"has,omitempty" jsonschema:"for line: its code, such as i < n; … leaves something out"`
	In         string     `json:"in,omitempty" jsonschema:"for line: loop, condition or the name of a function"`
	Of         string     `json:"of,omitempty" jsonschema:"for value and access: an element such as out[3], an array such as out, or an expression at the line; for count: cases, right cases, wrong cases, lines, invocations, workgroups, workgroup size, elements of x, written elements of x, read elements of x, wrong elements, or code with the code after it; for runs: invocations, to count those that reach the line"`
	Does       string     `json:"does,omitempty" jsonschema:"for access: reads or writes"`
	When       string     `json:"when,omitempty" jsonschema:"for value of an element: before the run, after it (unless given), or wanted"`
	Case       string     `json:"case,omitempty" jsonschema:"the name of a case, such as n = 65; unless given, the fact has to hold in each case"`
	Invocation []int      `json:"invocation,omitempty" jsonschema:"the global_invocation_id of the only invocation that is meant"`
	Workgroup  []int      `json:"workgroup,omitempty" jsonschema:"the workgroup_id of the only workgroup that is meant"`
	Round      int        `json:"round,omitempty" jsonschema:"for value at a line and access: only the invocation's first visit of the line is 1, the last is -1"`
	Edits      []lineEdit `json:"edits,omitempty" jsonschema:"for changes: as suppose takes them"`
	Is         any        `json:"is,omitempty" jsonschema:"the value or number; 0 means never. For line, false means that it isn't so. For access, at least once unless given. For case and changes, right, wrong or a number of right cases"`
}

// is returns what a fact says that something is.
func (f fact) is() string {
	switch v := f.Is.(type) {
	case nil:
		return ""
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strings.TrimSpace(fmt.Sprint(f.Is))
}

// A measurement finds what a fact is about, and keeps what other facts need as well.
type measurement struct {
	*Server
	exercise *course.Exercise
	program  program
	source   *shader.Source
	now      *verdictAnswer
	seed     uint64
	cases    []course.Case
	runs     map[string]*run
	watched  map[string]*watched
}

// errUnclear begins errors about a fact that can't be measured, if the tutor can mend it.
var errUnclear = errors.New("it can't be measured")

func unclear(format string, args ...any) error {
	return fmt.Errorf("%w: %s", errUnclear, fmt.Sprintf(format, args...))
}

// measures are the kinds of facts. Each says what is false about one; "" if nothing is.
var measures = map[string]func(*measurement, context.Context, fact) (string, error){
	"line": (*measurement).line, "value": (*measurement).value, "access": (*measurement).access, "runs": (*measurement).lineRuns,
	"count": (*measurement).count, "case": (*measurement).oneCase, "changes": (*measurement).changes,
}

// falseFact says which fact is false, or can't be measured; "" if all are true.
func (s *Server) falseFact(ctx context.Context, e *course.Exercise, p program, facts []fact) (string, error) {
	if len(facts) == 0 {
		return "", nil
	}
	if len(facts) > mostFacts {
		return "", fmt.Errorf("there are %d facts: say at most %d at once", len(facts), mostFacts)
	}
	m := &measurement{Server: s, exercise: e, program: p, runs: map[string]*run{}, watched: map[string]*watched{}}
	if !e.IsOnHost() && e.Break == nil {
		m.source = shader.Read(filepath.Join("work", p.File), p.Text).At(e.Entry)
	}
	var err error
	if m.seed, err = s.seed(e, p); err != nil {
		return "", err
	}
	for i, f := range facts {
		measure, known := measures[f.Kind]
		if !known {
			return "", fmt.Errorf("fact %d has the kind %q: use line, value, access, runs, count, case or changes", i+1, f.Kind)
		}
		wrong, err := measure(m, ctx, f)
		switch {
		case errors.Is(err, errUnclear):
			return fmt.Sprintf("Fact %d: %v.", i+1, err), nil
		case err != nil:
			return "", err
		case wrong != "":
			return fmt.Sprintf("Fact %d is false: %s.", i+1, wrong), nil
		}
	}
	return "", nil
}

// line measures what is on a line.
func (m *measurement) line(_ context.Context, f fact) (string, error) {
	lines := strings.Split(m.program.Text, "\n")
	from, through := 1, m.program.lines()
	if f.Line != 0 {
		if f.Line < 1 || f.Line > through {
			return fmt.Sprintf("the learner's program has %d lines, and no line %d", through, f.Line), nil
		}
		from, through = f.Line, f.Line
	}
	if f.Has == "" && (f.In == "" || f.Line == 0) {
		return "", unclear("say what the line has, or what line N is in")
	}
	holds := false
	for n := from; n <= through; n++ {
		inside, err := m.isIn(n, f.In)
		if err != nil {
			return "", err
		}
		holds = holds || inside && hasCode(wordsOf(lines[n-1]), f.Has)
	}
	switch {
	case holds != (f.is() == "false"):
		return "", nil
	case f.Line == 0:
		return map[bool]string{true: "a line has ", false: "no line has "}[holds] + f.Has, nil
	case f.Has == "":
		what := "the function " + f.In
		if f.In == "loop" || f.In == "condition" {
			what = "a " + f.In
		}
		return fmt.Sprintf("line %d is%s in %s", f.Line, map[bool]string{false: "n't"}[holds], what), nil
	}
	return fmt.Sprintf("line %d is `%s`", f.Line, strings.TrimSpace(lines[f.Line-1])), nil
}

// count measures how many there are of something.
func (m *measurement) count(ctx context.Context, f fact) (string, error) {
	what, name, _ := strings.Cut(f.Of, " of ")
	if code, is := strings.CutPrefix(f.Of, "code "); is {
		return m.countCode(f, code), nil
	}
	switch what {
	case "lines":
		return different("the number of lines", m.program.lines(), f), nil
	case "cases", "right cases", "wrong cases":
		o, err := m.outcome(ctx)
		if err != nil {
			return "", err
		}
		return different("the number of "+what, map[string]int{"cases": o.Of, "right cases": o.Right, "wrong cases": o.Of - o.Right}[what], f), nil
	}
	return m.inCases(f, func(c course.Case) (string, error) {
		n, err := m.countIn(ctx, f, c, what, name)
		return different("the number of "+f.Of, n, f), err
	})
}

// countCode counts code on a line, or in the program.
func (m *measurement) countCode(f fact, code string) string {
	n, words := 0, wordsOf(code)
	for i, line := range strings.Split(m.program.Text, "\n") {
		line, _, _ = strings.Cut(line, "//")
		has := wordsOf(line)
		for at := range has {
			if at+len(words) <= len(has) && slices.Equal(has[at:at+len(words)], words) && (f.Line == 0 || f.Line == i+1) {
				n++
			}
		}
	}
	return different(fmt.Sprintf("the number of `%s`", code), n, f)
}

// countIn counts what a case has.
func (m *measurement) countIn(ctx context.Context, f fact, c course.Case, what, name string) (int, error) {
	switch what {
	case "elements":
		for i, b := range m.exercise.Bindings {
			if b.Name == name {
				return c.Buffers[i].Len() / max(b.Components(), 1), nil
			}
		}
		return 0, unclear("there is no buffer %s", name)
	case "wrong elements":
		r, err := m.run(ctx, c)
		if err != nil {
			return 0, err
		}
		n := 0
		for _, output := range m.exercise.Outputs() {
			if name != "" && m.exercise.Bindings[output].Name != name {
				continue
			}
			for i := range r.right[output].Len() {
				if r.after != nil && !near(r.right[output].At(i), r.after[output].At(i)) {
					n++
				}
			}
		}
		return n, nil
	}
	w, err := m.watch(ctx, f, c)
	if err != nil {
		return 0, err
	}
	groups, size := int(w.groups[0]*w.groups[1]*w.groups[2]), int(w.size[0]*w.size[1]*w.size[2])
	switch what {
	case "workgroups":
		return groups, nil
	case "workgroup size":
		return size, nil
	case "invocations":
		return groups * size, nil
	case "written elements", "read elements":
		f.Of, f.Does = name, map[string]string{"written elements": "writes", "read elements": "reads"}[what]
		different := map[place]bool{}
		err := m.accesses(w, f, func(at place) { different[at] = true })
		return len(different), err
	}
	return 0, unclear("%q isn't counted: see the schema", f.Of)
}

// oneCase measures whether a case is right.
func (m *measurement) oneCase(ctx context.Context, f fact) (string, error) {
	o, err := m.outcome(ctx)
	if err != nil {
		return "", err
	}
	return o.differs(f)
}

// differs says how a fact about cases differs from an outcome; "" if it doesn't.
func (o outcome) differs(f fact) (string, error) {
	if f.Case == "" {
		number, _, _ := strings.Cut(f.is(), " ")
		if n, err := strconv.Atoi(number); err == nil && n == o.Right || err != nil && (f.is() == "right") == (o.Verdict == "pass") {
			return "", nil
		}
		return fmt.Sprintf("%d of %d cases are right", o.Right, o.Of), nil
	}
	for _, c := range o.Cases {
		if c.Name != f.Case {
			continue
		}
		if is := map[bool]string{true: "right", false: "wrong"}[c.Pass]; is != f.is() {
			return fmt.Sprintf("the case %s is %s", c.Name, is), nil
		}
		return "", nil
	}
	return "", unclear("there is no case %q", f.Case)
}

// changes measures what an edit makes of the program.
func (m *measurement) changes(ctx context.Context, f fact) (string, error) {
	changed := m.program
	var err error
	if changed.Text, err = edited(m.program, f.Edits); err != nil {
		return "", unclear("%v", err)
	}
	a, err := m.compare(ctx, m.exercise, m.program, changed)
	if err != nil {
		return "", err
	}
	return a.After.differs(f)
}

// outcome checks the program, unless it is known.
func (m *measurement) outcome(ctx context.Context) (o outcome, err error) {
	if m.program.Text == "" {
		return o, unclear("the learner has written nothing yet")
	}
	if m.now == nil {
		if m.now, err = m.verdictNow(ctx, m.exercise, m.program); err != nil {
			return o, err
		}
	}
	return outcomeOf(m.now)
}

// inCases measures a fact in the case that it names, or in each.
func (m *measurement) inCases(f fact, measure func(course.Case) (string, error)) (string, error) {
	if m.source == nil {
		return "", unclear("%s is no shader", m.exercise.ID)
	}
	if m.cases == nil {
		m.cases = m.exercise.Draw(m.seed)
	}
	var names []string
	measured, tooLarge := false, error(nil)
	for _, c := range m.cases {
		names = append(names, c.Name)
		if f.Case != "" && f.Case != c.Name {
			continue
		}
		wrong, err := measure(c)
		if f.Case == "" && errors.Is(err, errUnclear) { // it is too large, or hasn't the element
			tooLarge = err
			continue
		}
		if wrong != "" || err != nil {
			return strings.TrimSpace(wrong + " in the case " + c.Name), err
		}
		measured = true
	}
	switch {
	case measured:
		return "", nil
	case tooLarge != nil:
		return "", tooLarge
	}
	return "", unclear("there is no case %q: the cases are %s", f.Case, strings.Join(names, "; "))
}

// different says how a number differs from what a fact says; "" if it doesn't.
func different(what string, n int, f fact) string {
	if f.is() == strconv.Itoa(n) {
		return ""
	}
	return fmt.Sprintf("%s is %d, not %s", what, n, cmp.Or(f.is(), "missing"))
}
