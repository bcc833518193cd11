package tutor

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// contradiction says which statement about the learner's program is false; "" if none is known to
// be. It understands lines, values of elements, numbers of cases, and what a line has.
func (s *Server) contradiction(ctx context.Context, e *course.Exercise, p program, text string) (string, error) {
	if wrong := wrongLine(p, text); wrong != "" {
		return wrong, nil
	}
	elements, counts := elementForm.MatchString(text), countForm.MatchString(text) || rightForm.MatchString(text)
	if p.Text == "" || e.IsOnHost() || e.Break != nil || !elements && !counts {
		return "", nil
	}
	now, err := s.verdictNow(ctx, e, p)
	if err != nil {
		return "", err
	}
	if counts {
		if wrong, err := wrongCount(now, text); wrong != "" || err != nil {
			return wrong, err
		}
	}
	if !elements {
		return "", nil
	}
	return s.falseValue(ctx, e, p, now, text)
}

// sentenceEnd separates the sentences of a text.
var sentenceEnd = regexp.MustCompile(`[.!?]+\s+|\n+`)

// supposing are the words after which a sentence states nothing.
var supposing = regexp.MustCompile(`(?i)\b(if|suppose|imagine|assume|assuming|unless|would|could|until|say that)\b`)

var (
	lineForm  = regexp.MustCompile(`(?i)\blines?\s+(\d+(?:\s*(?:,|-|–|to|and|or|through)\s*\d+)*)`)
	numbers   = regexp.MustCompile(`\d+`)
	quoteForm = regexp.MustCompile("(?i)\\bline\\s+(\\d+)\\s+(?:reads|writes|says|has|is|contains|compares|declares|calls|uses|computes|checks|tests|stores)\\s+(?:only |just )?`([^`]+)`")
)

// wrongLine finds lines that aren't there, and code that isn't on its line.
func wrongLine(p program, text string) string {
	n := p.lines()
	for _, m := range lineForm.FindAllStringSubmatch(text, -1) {
		for _, number := range numbers.FindAllString(m[1], -1) {
			if line, err := strconv.Atoi(number); err != nil || line < 1 || line > n {
				if n == 0 {
					return fmt.Sprintf("It names line %s, and the learner has written nothing yet.", number)
				}
				return fmt.Sprintf("It names line %s: the learner's program has lines 1 to %d.", number, n)
			}
		}
	}
	lines := strings.Split(p.Text, "\n")
	for _, m := range quoteForm.FindAllStringSubmatch(text, -1) {
		line, _ := strconv.Atoi(m[1]) // one of the lines above
		if !strings.Contains(withoutSpace(lines[line-1]), withoutSpace(m[2])) {
			return fmt.Sprintf("It says that line %d has `%s`: the line is `%s`.", line, m[2], strings.TrimSpace(lines[line-1]))
		}
	}
	return ""
}

func withoutSpace(code string) string { return strings.Join(strings.Fields(code), "") }

var (
	countForm = regexp.MustCompile(`(?i)\b(\d+|none|all|no|every)\s+(?:(?:out\s+)?of\s+(?:the\s+|its\s+|your\s+)?(\d+)\s+)?cases?\s+(?:(?:is|are|come out|comes out)\s+(?:now\s+)?)?(right|correct|wrong|pass|passes|fail|fails)\b`)
	rightForm = regexp.MustCompile(`(?i)\b(?:your|the)\s+(?:shader|program|code)\s+(?:is|works|looks)\s+(?:now\s+)?(?:right|correct|fine|good|correctly)\b|\bpasses\s+(?:the check|every case|all)\b`)
)

// wrongCount finds numbers of cases that the verdict contradicts.
func wrongCount(now *verdictAnswer, text string) (string, error) {
	o, err := outcomeOf(now)
	if err != nil {
		return "", err
	}
	for _, sentence := range sentenceEnd.Split(text, -1) {
		for _, at := range countForm.FindAllStringSubmatchIndex(sentence, -1) {
			if supposing.MatchString(sentence[:at[0]]) {
				continue
			}
			m := countForm.FindStringSubmatch(sentence[at[0]:])
			counted, of := o.Right, o.Of
			if w := strings.ToLower(m[3]); w == "wrong" || strings.HasPrefix(w, "fail") {
				counted = o.Of - o.Right
			}
			said, err := strconv.Atoi(m[1])
			switch strings.ToLower(m[1]) {
			case "all", "every":
				said, err = o.Of, nil
			case "none", "no":
				said, err = 0, nil
			}
			total, totalErr := strconv.Atoi(m[2])
			if err == nil && said != counted || totalErr == nil && total != of {
				return fmt.Sprintf("It says `%s`: %d of %d cases are right.", m[0], o.Right, o.Of), nil
			}
		}
		if at := rightForm.FindStringIndex(sentence); at != nil && !now.Right && !supposing.MatchString(sentence) {
			return "It says that the program is right, and it isn't. Let the check judge.", nil
		}
	}
	return "", nil
}

// A claim is what a text says about an element: its value, or the value that it should have.
type claim struct {
	text    string
	name    string
	index   int
	part    string // of a vector
	wanted  bool
	written bool // it isn't about a value: the element was never written
	value   float64
	near    float64 // how exactly the text gives the value
}

const (
	numberPart = "`?([-−]?(?:\\d+(?:\\.\\d*)?(?:e[-+]?\\d+)?|NaN|inf(?:inity)?))[fu]?\\b`?"
	wantedPart = `should(?:\s+have)?\s+(?:be|been|hold|contain|become|equal)|must\s+be|has\s+to\s+be|needs\s+to\s+be|ought\s+to\s+be|(?:is|was)\s+(?:supposed|meant|expected)\s+to\s+be`
	foundPart  = `is|was|are|be|holds|held|contains|has|becomes|became|equals|gets|got|ends\s+up\s+(?:as|with|at)|comes\s+out\s+as|==?`
	fillPart   = `(?:\s+(?:the|a|value|now|still|only|exactly|actually|about|just|currently|again|equal|to|written|as|with|instead))*`
)

var (
	elementForm = regexp.MustCompile("`?\\b([A-Za-z_]\\w*)\\[\\s*(\\d+)u?\\s*\\](?:\\.([xyzw])\\b)?`?")
	valueForm   = regexp.MustCompile(`(?i)(?:\b(` + wantedPart + `)|(\bin(?:stead)\s+of|\brather\s+than)|(?:\b|\s)(` + foundPart + `))` + fillPart + `\s*` + numberPart)
	neverForm   = regexp.MustCompile(`(?i)^\s*(?:is|was|were|stays|stayed)\s+(?:never|not)\s+written`)
)

// claims returns what a text says about elements.
func claims(text string) (all []claim) {
	for _, sentence := range sentenceEnd.Split(text, -1) {
		places := elementForm.FindAllStringSubmatchIndex(sentence, -1)
		for i, at := range places {
			end := len(sentence)
			if i+1 < len(places) {
				end = places[i+1][0]
			}
			if supposing.MatchString(sentence[:at[0]]) {
				continue
			}
			m := elementForm.FindStringSubmatch(sentence[at[0]:at[1]])
			index, err := strconv.Atoi(m[2])
			if err != nil {
				continue
			}
			about := claim{text: sentence[at[0]:at[1]], name: m[1], index: index, part: m[3]}
			all = append(all, about.values(sentence[at[1]:end])...)
		}
	}
	return all
}

// values returns the claims that follow an element in its sentence.
func (about claim) values(rest string) (all []claim) {
	if neverForm.MatchString(rest) {
		about.written = true
		return []claim{about}
	}
	before := 0 // where the last claim ended: only a few words may be between two
	for _, at := range valueForm.FindAllStringSubmatchIndex(rest, -1) {
		const fewWords = 30
		assigned := at[6] >= 0 && rest[at[6]] == '=' // of another name, unless it follows at once
		if assigned && strings.Trim(rest[before:at[0]], " `") != "" {
			continue
		}
		if at[0]-before > fewWords || strings.HasPrefix(strings.TrimLeft(rest[at[1]:], "`"), "[") {
			break
		}
		if follows := strings.TrimSpace(rest[at[1]:]); follows != "" && strings.ContainsAny(follows[:1], "+*/%") {
			break // a formula begins with the number
		}
		c := about
		number := rest[at[8]:at[9]]
		c.wanted = at[2] >= 0
		if at[4] >= 0 { // "is 3 instead of 5"
			c.wanted = len(all) == 0 || !all[len(all)-1].wanted
		}
		c.value, c.near = read(number)
		c.text = strings.TrimSpace(about.text + " … " + strings.TrimSpace(rest[at[0]:at[1]]))
		all, before = append(all, c), at[1]
	}
	return all
}

// read reads a number, and how far off the value may be that it stands for.
func read(number string) (value, near float64) {
	number = strings.ToLower(strings.Replace(number, "−", "-", 1))
	value, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return math.NaN(), 0
	}
	digits, exponent, _ := strings.Cut(number, "e")
	_, decimals, _ := strings.Cut(digits, ".")
	shift, _ := strconv.Atoi(exponent)
	near = 0.51 * math.Pow(10, float64(shift-len(decimals)))
	if decimals == "" && exponent == "" {
		near = 1e-3 // a whole number stands for itself
	}
	return value, near
}

// fits reports whether a value is what the claim says.
func (c claim) fits(value float64) bool {
	if math.IsNaN(c.value) || math.IsInf(c.value, 0) {
		return math.IsNaN(value) && math.IsNaN(c.value) || value == c.value
	}
	const rounding = 1e-5
	return math.Abs(value-c.value) <= c.near+rounding*math.Abs(value)
}

// told reports whether the verdict has the claim: the judge adds cases, and its values are exact.
func (c claim) told(e *course.Exercise, v *verdict.Verdict) bool {
	var known []verdict.OutputElement
	for _, r := range v.Cases {
		if r.FirstMismatch != nil {
			known = append(known, *r.FirstMismatch)
		}
	}
	if m := v.Mismatch; m != nil {
		for _, o := range m.Around {
			o.Output = m.Output
			known = append(known, o)
		}
	}
	return slices.ContainsFunc(known, func(o verdict.OutputElement) bool {
		value := o.Got
		if c.wanted {
			value = o.Want
		}
		is := cmp.Or(o.Output, e.Bindings[e.Output].Name) == c.name && o.Index == c.index && o.Component == c.part
		return is && (c.written && o.Unwritten || !c.written && c.fits(float64(value)))
	})
}

// falseValue finds claims that are false in every case.
func (s *Server) falseValue(ctx context.Context, e *course.Exercise, p program, now *verdictAnswer, text string) (wrong string, err error) {
	all := claims(text)
	all = slices.DeleteFunc(all, func(c claim) bool {
		return c.told(e, now.full) || !slices.ContainsFunc(e.Bindings, func(b course.Binding) bool { return b.Name == c.name })
	})
	if len(all) == 0 {
		return "", nil
	}
	seed, err := s.seed(e, p)
	if err != nil {
		return "", err
	}
	err = s.checking(ctx, func() error {
		runs, err := runsOf(ctx, e, p, seed)
		if err == nil {
			wrong = firstWrong(e, runs, all)
		}
		return err
	})
	return wrong, err
}

// A run is what is in the buffers of a case before it, after the learner's shader and after a right
// one.
type run struct {
	name                 string
	before, after, right []shader.Buffer
}

// runsOf runs both shaders in all cases. A shader that doesn't run has no values.
func runsOf(ctx context.Context, e *course.Exercise, p program, seed uint64) (runs []run, err error) {
	right, err := e.Standard()
	if err != nil {
		return nil, err
	}
	own, runsNot := shader.Read("own.wgsl", p.Text), false
	for _, c := range e.Draw(seed) {
		r := run{name: c.Name, before: c.Buffers}
		if r.right, err = left(ctx, e, right, c); err != nil {
			return nil, err
		}
		if !runsNot {
			r.after, err = left(ctx, e, own, c)
			runsNot = err != nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		runs = append(runs, r)
	}
	return runs, nil
}

// left returns all buffers of a case after a shader ran.
func left(ctx context.Context, e *course.Exercise, source *shader.Source, c course.Case) ([]shader.Buffer, error) {
	copied := c
	copied.Buffers = slices.Clone(c.Buffers)
	for i := range copied.Buffers {
		copied.Buffers[i] = c.Buffers[i].Clone()
	}
	result, err := e.RunOnce(ctx, engines().Values, source, copied, func(*shader.Dispatch) {})
	if err != nil {
		return nil, err
	}
	buffers := slices.Clone(c.Buffers)
	buffers[e.Output] = result.Output
	for i, also := range result.Also {
		buffers[e.Also[i]] = also.Output
	}
	return buffers, nil
}

// firstWrong says which claim is false in every case; "" if none is.
func firstWrong(e *course.Exercise, runs []run, all []claim) string {
	for _, c := range all {
		binding := slices.IndexFunc(e.Bindings, func(b course.Binding) bool { return b.Name == c.name })
		b, longest := e.Bindings[binding], 0
		at := c.index * b.Components()
		if c.part != "" {
			at += strings.Index("xyzw", c.part)
		}
		known, holds := false, false
		for _, r := range runs {
			longest = max(longest, r.before[binding].Len()/b.Components())
			if at >= r.before[binding].Len() {
				continue
			}
			output := slices.Contains(e.Outputs(), binding)
			if c.part == "" && b.Components() > 1 || b.Packed || b.Access == shader.Uniform || r.after == nil && !c.wanted {
				holds = true // nothing to compare with
				continue
			}
			known = true
			before, right := r.before[binding].At(at), r.right[binding].At(at)
			switch {
			case c.wanted:
				holds = holds || c.fits(right) || !output && c.fits(before)
			case c.written:
				holds = holds || r.after[binding].Same(at, r.before[binding])
			default:
				holds = holds || c.fits(r.after[binding].At(at)) || !output && c.fits(before) || e.Updates() && c.fits(before)
			}
		}
		switch {
		case longest > 0 && c.index >= longest:
			return fmt.Sprintf("It names `%s`: in the check's cases, %s has at most %d elements.", c.text, c.name, longest)
		case known && !holds:
			return fmt.Sprintf("It says `%s`, and that is so in none of the check's cases. Look with examine first.", c.text)
		}
	}
	return ""
}
