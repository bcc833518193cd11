package session

import (
	"regexp"
	"strings"

	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// differences returns what two shaders say differently, as the lines of both. Layout, comments and
// parentheses that change nothing make no difference: the statements are compared, not the text.
func differences(own, reference *wgsl.Shader) []verdict.Change {
	a, b := statementsOf(own), statementsOf(reference)
	d := differ{kind: map[*row]string{}}
	i, j := 0, 0
	same := func(end int) {
		for ; i < end; i, j = i+1, j+1 {
			d.add("kept", a[i])
		}
	}
	before := text(a)
	for _, e := range verdict.Lines(before, text(b)) {
		same(strings.Count(before[:e.Start], "\n"))
		for n := strings.Count(before[e.Start:e.End], "\n"); n > 0; n, i = n-1, i+1 {
			d.add("taken", a[i])
		}
		for n := strings.Count(e.New, "\n"); n > 0; n, j = n-1, j+1 {
			d.add("added", b[j])
		}
	}
	same(len(a))
	return d.shortened()
}

// A statement is a piece of a shader: a simple statement, a declaration, what comes before a brace,
// or a closing brace.
type statement struct {
	says string // the same for everything that means the same
	row  *row
}

// A row is the lines of a statement, and of all statements that share a line with it.
type row struct {
	lines []string
	last  int // line
}

// statementsOf splits a shader into its statements.
func statementsOf(s *wgsl.Shader) []statement {
	var all []statement
	parentheses := grouping(s.File)
	var says []string
	parens, angles, first := 0, 0, -1
	structs := false // inside the braces of a struct
	end := func(last int) {
		if len(says) > 0 {
			all = append(all, statement{strings.Join(says, " "), rowOf(s.Source, all, first, last)})
		}
		says, first = nil, -1
	}
	for _, span := range syntax.Tokens(s.Source) {
		token, line := s.Source.Slice(span), s.Source.Position(span.Start).Line
		switch {
		case parens == 0 && token == "}":
			end(line)
			structs = false
		case token == "(", token == "[":
			parens++
		case token == ")", token == "]":
			parens--
		case structs && strings.Trim(token, "<>") == "":
			angles += strings.Count(token, "<") - strings.Count(token, ">")
		}
		if first < 0 {
			first = line
		}
		ends := parens == 0 && (token == ";" || token == "{" || token == "}" || structs && angles == 0 && token == ",")
		structs = structs || token == "struct"
		if !ends || token == "{" || token == "}" {
			says = append(says, parentheses.said(span, token)...)
		}
		if ends {
			end(line)
		}
	}
	end(s.Source.Lines())
	return all
}

// rowOf returns the row of a statement: that of the one before, if they share a line.
func rowOf(source *syntax.Source, before []statement, first, last int) *row {
	r := &row{last: first - 1}
	if n := len(before); n > 0 && before[n-1].row.last >= first {
		r = before[n-1].row
	}
	for ; r.last < last; r.last++ {
		r.lines = append(r.lines, source.Slice(source.Line(r.last+1)))
	}
	return r
}

// parentheses replaces a shader's parentheses by those that every operation has.
type parentheses struct {
	dropped       map[int32]bool // where a parenthesis of the text begins
	opened, ended map[int32]int  // how many operations begin and end at an offset
}

func grouping(file *syntax.TranslationUnit) parentheses {
	m := parentheses{map[int32]bool{}, map[int32]int{}, map[int32]int{}}
	syntax.Walk(file, func(n syntax.Node) bool {
		at := n.Span()
		switch n.(type) {
		case *syntax.ParenExpr:
			m.dropped[at.Start], m.dropped[at.End-1] = true, true
		case *syntax.BinaryExpr, *syntax.UnaryExpr:
			m.opened[at.Start]++
			m.ended[at.End]++
		}
		return true
	}, nil)
	return m
}

func (m parentheses) said(at syntax.Span, token string) []string {
	var says []string
	for range m.opened[at.Start] {
		says = append(says, "(")
	}
	if name := shortName.FindStringSubmatch(token); name != nil {
		says = append(says, name[1], "<", elements[name[2]], ">")
	} else if !m.dropped[at.Start] {
		says = append(says, token)
	}
	for range m.ended[at.End] {
		says = append(says, ")")
	}
	return says
}

// shortName matches vec3u, which is vec3<u32>.
var shortName = regexp.MustCompile(`^(vec[234]|mat[234]x[234])([fhiu])$`)

var elements = map[string]string{"f": "f32", "h": "f16", "i": "i32", "u": "u32"}

func text(all []statement) string {
	var b strings.Builder
	for _, s := range all {
		b.WriteString(s.says + "\n")
	}
	return b.String()
}

// A differ collects rows, each once.
type differ struct {
	rows []*row
	kind map[*row]string // as in diff.Change
}

// add adds the row of a statement. A row with one changed statement has changed.
func (d *differ) add(kind string, s statement) {
	if d.kind[s.row] == "" {
		d.rows = append(d.rows, s.row)
	}
	if d.kind[s.row] == "" || kind != "kept" {
		d.kind[s.row] = kind
	}
}

// shortened returns the changed rows with two kept ones around.
func (d *differ) shortened() []verdict.Change {
	const around = 2
	near := func(at int) bool {
		for _, r := range d.rows[max(0, at-around):min(len(d.rows), at+around+1)] {
			if d.kind[r] != "kept" {
				return true
			}
		}
		return false
	}
	var changes []verdict.Change
	for at, last := 0, -1; at < len(d.rows); at++ {
		if !near(at) {
			continue
		}
		if last >= 0 && at > last+1 {
			changes = append(changes, verdict.Change{Kind: "kept", Text: "…"})
		}
		for _, line := range d.rows[at].lines {
			changes = append(changes, verdict.Change{Kind: d.kind[d.rows[at]], Text: line})
		}
		last = at
	}
	return changes
}
