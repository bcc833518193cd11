package preprocess

import (
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// A macro is a name that stands for a text.
type macro struct {
	name       string
	parameters []string
	calls      bool // it has parameters, perhaps none: only a use with parentheses is replaced
	body       []token
	flag       bool // only directives see it
	host       bool // the host set it: the shader can't change it
}

// A stream is a list of tokens to expand, and before them those that an expansion left to be looked
// at again, last one first.
type stream struct {
	again  []token
	tokens []token
}

func (s *stream) next() (token, bool) {
	if last := len(s.again) - 1; last >= 0 {
		t := s.again[last]
		s.again = s.again[:last]
		return t, true
	}
	if len(s.tokens) == 0 {
		return token{}, false
	}
	t := s.tokens[0]
	s.tokens = s.tokens[1:]
	return t, true
}

// push puts tokens before all others.
func (s *stream) push(tokens []token) {
	for _, t := range slices.Backward(tokens) {
		s.again = append(s.again, t)
	}
}

// expandList returns a list of tokens with all macros replaced. In a condition, a macro without a
// text counts as 1.
func (p *preprocessor) expandList(tokens []token, condition bool) []token {
	var out []token
	if p.depth++; p.depth > mostDeep {
		p.depth--
		return tokens
	}
	defer func() { p.depth-- }()
	s := &stream{tokens: tokens}
	for t, ok := s.next(); ok; t, ok = s.next() {
		if !p.replace(s, t, condition) {
			out = append(out, t)
		}
	}
	return out
}

// replace puts what a token stands for into the stream, and reports whether it stands for anything
// but itself.
func (p *preprocessor) replace(s *stream, t token, condition bool) bool {
	switch t.kind {
	case placeholder:
		return p.fill(s, t)
	case statement:
		return p.unrendered(t)
	}
	m := p.macros[t.text]
	if t.kind != word || m == nil || t.hide.has(t.text) || !condition && (m.flag || m.host && p.declared.keeps(t)) || p.exhausted(t, len(m.body)) {
		return false
	}
	hide := &hidden{m.name, t.hide}
	switch {
	case condition && !m.calls && (m.flag || len(m.body) == 0):
		s.push([]token{{kind: number, text: "1", file: t.file, span: t.span}})
	case !m.calls:
		s.push(standingFor(m.body, t, hide))
	default:
		arguments, whole, ok := p.arguments(s, t, m)
		if !ok {
			return false
		}
		made := p.substitute(m, arguments, whole, hide)
		if p.exhausted(t, len(made)) {
			return false
		}
		s.push(made)
	}
	return true
}

// exhausted counts the tokens that expansions make, and reports whether there were too many.
func (p *preprocessor) exhausted(t token, made int) bool {
	p.expanded += 1 + made
	if p.expanded > mostExpanded && !p.full {
		p.full = true
		p.problem(t, "The macros of this shader make too much text: at `%s`, over %d words and signs.", t.text, mostExpanded).
			Try("Look for a macro that uses itself more than once through another one.")
	}
	return p.full
}

// standingFor returns tokens of a macro with the place where it is used.
func standingFor(body []token, use token, hide *hidden) []token {
	out := make([]token, len(body))
	for i, t := range body {
		t.file, t.span, t.exact, t.hide = use.file, use.span, false, hide
		out[i] = t
	}
	return out
}

// fill puts the value of a placeholder into the stream. A name without a value is reported once,
// with all its places.
func (p *preprocessor) fill(s *stream, t token) bool {
	if p.exhausted(t, 0) {
		return false
	}
	value, known := p.values[t.name]
	if m := p.macros[t.name]; !known && m != nil && !m.calls {
		s.push(standingFor(m.body, t, &hidden{t.name, t.hide}))
		return true
	}
	switch {
	case t.hide.has(t.name): // a value that names itself
		return false
	case known:
		body := scan(syntax.NewSource("", value.Text))
		s.push(standingFor(body, t, &hidden{t.name, t.hide}))
	case p.unknown[t.name] != nil:
		found := p.unknown[t.name]
		found.See(p.keep(t), "`%s` is here as well.", t.text)
	default:
		found := p.problem(t, "`%s` has no value.", t.text)
		p.unknown[t.name] = found.Try("Pass one with -D %s, or write it under [values] in wgslab.toml.", quotedDefine(t.name))
	}
	return true
}

// unrendered reports the first statement of a template language.
func (p *preprocessor) unrendered(t token) bool {
	if !p.foreign {
		p.foreign = true
		p.problem(t, "`%s` is a statement of a template language such as Jinja or Tera, which nothing here follows.", t.text).
			Try("Pass the text that your host renders.")
	}
	return true
}

// quotedDefine writes a definition for a shell.
func quotedDefine(name string) string {
	if isPath(name) {
		return name + "=…"
	}
	return "'" + name + "=…'"
}

// arguments takes the arguments of a macro's use from the stream. Whole is the use, from the name
// to the parenthesis. Without a parenthesis the name is no use.
func (p *preprocessor) arguments(s *stream, name token, m *macro) (arguments [][]token, whole token, ok bool) {
	var skipped []token
	t, more := s.next()
	for ; more && (t.kind == blank || t.kind == comment); t, more = s.next() {
		skipped = append(skipped, t)
	}
	if !more || !t.is("(") {
		if more {
			skipped = append(skipped, t)
		}
		s.push(skipped)
		return nil, name, false
	}
	arguments, last, closed := splitArguments(s)
	whole = name
	if last.file == name.file && last.span.End >= name.span.End {
		whole.span.End = last.span.End
	}
	if len(m.parameters) == 0 && len(arguments) == 1 && len(arguments[0]) == 0 {
		arguments = nil
	}
	switch {
	case !closed:
		p.problem(name, "The arguments of the macro `%s` have no end.", m.name).Try("Close the parenthesis before the next directive.")
	case len(arguments) != len(m.parameters):
		p.problem(whole, "The macro `%s` has %s, and this use gives it %d.", m.name, english.Count(len(m.parameters), "parameter", "parameters"), len(arguments)).
			Try("Write it as `%s(%s)`.", m.name, strings.Join(m.parameters, ", "))
	default:
		return arguments, whole, true
	}
	return nil, whole, false
}

// splitArguments takes tokens up to the closing parenthesis, and splits them at the commas.
func splitArguments(s *stream) (arguments [][]token, last token, closed bool) {
	depth := 0
	var argument []token
	for t, ok := s.next(); ok; t, ok = s.next() {
		switch {
		case t.kind == directive:
			s.push([]token{t})
			return nil, last, false
		case t.is("("), t.is("["):
			depth++
		case t.is("]"), t.is(")") && depth > 0:
			depth--
		case t.is(")"):
			return append(arguments, trimmed(argument)), t, true
		case t.is(",") && depth == 0:
			arguments, argument = append(arguments, trimmed(argument)), nil
			continue
		}
		argument, last = append(argument, t), t
	}
	return nil, last, false
}

// trimmed returns tokens without the blanks around them.
func trimmed(tokens []token) []token {
	for len(tokens) > 0 && tokens[0].kind == blank {
		tokens = tokens[1:]
	}
	for len(tokens) > 0 && tokens[len(tokens)-1].kind == blank {
		tokens = tokens[:len(tokens)-1]
	}
	return tokens
}

// substitute returns a macro's text with its arguments, which keep their places. Next to ## an
// argument isn't expanded.
func (p *preprocessor) substitute(m *macro, arguments [][]token, whole token, hide *hidden) []token {
	var out []token
	body := standingFor(m.body, whole, hide)
	for i := 0; i < len(body); i++ {
		if joins := joinsAt(body, i); joins >= i {
			out = trimmed(out)
			i = joins
			continue
		}
		parameter := slices.Index(m.parameters, body[i].text)
		switch {
		case body[i].kind != word || parameter < 0:
			out = append(out, body[i])
		case joined(body, i):
			out = append(out, arguments[parameter]...)
		default:
			out = append(out, p.expandList(arguments[parameter], false)...)
		}
	}
	if slices.ContainsFunc(m.body, func(t token) bool { return t.is("##") }) {
		return rescanned(out, whole, hide)
	}
	return out
}

// joinsAt returns the index of the last blank after a ## that a body has at an index, or after
// blanks there; less than 0 if it has none.
func joinsAt(body []token, i int) int {
	for i < len(body) && body[i].kind == blank {
		i++
	}
	if i >= len(body) || !body[i].is("##") {
		return -1
	}
	for i+1 < len(body) && body[i+1].kind == blank {
		i++
	}
	return i
}

// joined reports whether a token has a ## before or after it.
func joined(body []token, i int) bool {
	before := i - 1
	for before >= 0 && body[before].kind == blank {
		before--
	}
	return joinsAt(body, i+1) >= 0 || before >= 0 && body[before].is("##")
}

// rescanned splits joined tokens anew. They have the place of the whole use.
func rescanned(tokens []token, whole token, hide *hidden) []token {
	var text strings.Builder
	for _, t := range tokens {
		text.WriteString(t.text)
	}
	return standingFor(scan(syntax.NewSource("", text.String())), whole, hide)
}
