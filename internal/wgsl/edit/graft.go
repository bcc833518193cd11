package edit

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// mostGrafted is the most places at which a shader may differ from a right one for Grafts: with
// more, the two are written in different ways, and parts of one seldom fit into the other.
const mostGrafted = 12

// Grafts changes each place alone, any two together, and all if they are few.
const mostTogether, mostAtOnce = 2, 4

// smallGraft is the most tokens of an edit that costs as little as a slip if nothing else differs.
// Something that is only missing may be longer.
const smallGraft = 24

// Grafts returns edits that put parts of a right shader in place of those of another one. The parts
// have the names of the shader that they are put into. The cost of an edit grows with the tokens
// that it changes. If it changes all that differs, and that is little, it costs as much as a slip.
func Grafts(s, right *wgsl.Shader) []Mutation {
	g := &grafter{source: s.Source, own: tokensOf(s), right: tokensOf(right)}
	g.rename(s, right)
	places := g.places()
	if len(places) == 0 || len(places) > mostGrafted {
		return nil
	}
	f := &finder{source: s.Source, info: s.Info, seen: map[string]bool{s.Source.Text: true}}
	for i := range places {
		f.add(g.mutation(places[i:i+1], len(places) == 1))
	}
	for i := range places {
		for j := i + 1; j < len(places); j++ {
			f.add(g.mutation([]place{places[i], places[j]}, false))
		}
	}
	if mostTogether < len(places) && len(places) <= mostAtOnce {
		f.add(g.mutation(places, false))
	}
	return f.found
}

// A grafter compares the tokens of two shaders.
type grafter struct {
	source     *syntax.Source
	own, right []token
	names      map[string]string // of what the right shader declares: its names in the other shader
}

// A token is a word or a sign of a shader, as it compares.
type token struct {
	text string // with the names of the shader that is changed
	span syntax.Span
	name bool // that the shader declares
}

// tokensOf returns the tokens of a shader. A name after a point is that of a member.
func tokensOf(s *wgsl.Shader) []token {
	declared := namesIn(s.File)
	var tokens []token
	for _, span := range syntax.Tokens(s.Source) {
		text := s.Source.Slice(span)
		member := len(tokens) > 0 && tokens[len(tokens)-1].text == "."
		tokens = append(tokens, token{text, span, declared[text] && !member})
	}
	return tokens
}

// namesIn returns the names that a shader declares.
func namesIn(file *syntax.TranslationUnit) map[string]bool {
	names := map[string]bool{}
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.VarDecl:
			names[n.Name.Name] = true
		case *syntax.LetDecl:
			names[n.Name.Name] = true
		case *syntax.ConstDecl:
			names[n.Name.Name] = true
		case *syntax.StructDecl:
			names[n.Name.Name] = true
		case *syntax.FuncDecl:
			names[n.Name.Name] = true
		case *syntax.Param:
			names[n.Name.Name] = true
		}
		return true
	}, nil)
	return names
}

// fixed returns the names of what the host or WGSL decides, by what it is: a buffer by its number,
// and a builtin value by its name.
func fixed(file *syntax.TranslationUnit) map[string]string {
	names := map[string]string{}
	for d := range syntax.All[*syntax.VarDecl](file) {
		if a := syntax.FindAttribute(d.Attrs, "binding"); a != nil && len(a.Args) == 1 {
			if number, ok := a.Args[0].(*syntax.Literal); ok {
				names["binding "+strconv.FormatInt(number.Int, 10)] = d.Name.Name
			}
		}
	}
	for p := range syntax.All[*syntax.Param](file) {
		if a := syntax.FindAttribute(p.Attrs, "builtin"); a != nil && len(a.Args) == 1 {
			if builtin, ok := a.Args[0].(*syntax.IdentExpr); ok {
				names["builtin "+builtin.Name.Name] = p.Name.Name
			}
		}
	}
	return names
}

// rename gives the names in the right shader's tokens those that the same things have in the other
// shader. Where neither the host nor WGSL decides, names that are used alike mean the same.
func (g *grafter) rename(s, right *wgsl.Shader) {
	names := map[string]string{}
	own := fixed(s.File)
	for what, name := range fixed(right.File) {
		if own[what] != "" {
			names[name] = own[what]
		}
	}
	taken := map[string]bool{}
	for _, name := range names {
		taken[name] = true
	}
	votes := map[[2]string]int{}
	for _, pair := range align(keys(g.own, nil, taken), keys(g.right, names, nil)) {
		a, b := g.own[pair[0]], g.right[pair[1]]
		if a.name && b.name && names[b.text] == "" && !taken[a.text] {
			votes[[2]string{b.text, a.text}]++
			if a.text == b.text {
				votes[[2]string{b.text, a.text}]++
			}
		}
	}
	sorted := slices.SortedFunc(maps.Keys(votes), func(a, b [2]string) int {
		return cmp.Or(votes[b]-votes[a], cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]))
	})
	for _, pair := range sorted {
		if names[pair[0]] == "" && !taken[pair[1]] {
			names[pair[0]], taken[pair[1]] = pair[1], true
		}
	}
	g.names = names
	g.right = g.renamed(g.right)
}

// renamed returns tokens of the right shader with the names of the other one.
func (g *grafter) renamed(tokens []token) []token {
	tokens = slices.Clone(tokens)
	for i, t := range tokens {
		if t.name && g.names[t.text] != "" {
			tokens[i].text = g.names[t.text]
		}
	}
	return tokens
}

// keys returns what tokens compare as, while not all names are known: one that is not counts as any
// other.
func keys(tokens []token, names map[string]string, known map[string]bool) []string {
	all := make([]string, len(tokens))
	for i, t := range tokens {
		switch {
		case !t.name, known[t.text]:
			all[i] = t.text
		case names[t.text] != "":
			all[i] = names[t.text]
		default:
			all[i] = "a name"
		}
	}
	return all
}

// align returns the pairs of indices at which two lists have a longest list of equal elements in
// common.
func align(a, b []string) (pairs [][2]int) {
	columns := len(b) + 1
	longest := make([]int32, (len(a)+1)*columns) // from i and j on
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				longest[i*columns+j] = longest[(i+1)*columns+j+1] + 1
			} else {
				longest[i*columns+j] = max(longest[(i+1)*columns+j], longest[i*columns+j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			pairs = append(pairs, [2]int{i, j})
			i, j = i+1, j+1
		case longest[(i+1)*columns+j] >= longest[i*columns+j+1]:
			i++
		default:
			j++
		}
	}
	return pairs
}

// A stretch is a range of tokens in both shaders, which differ there.
type stretch struct{ from, to, rightFrom, rightTo int }

// A place is some parts of one statement.
type place []stretch

// places returns the places at which the shaders differ.
func (g *grafter) places() (places []place) {
	i, j := 0, 0
	ends := append(align(texts(g.own), texts(g.right)), [2]int{len(g.own), len(g.right)})
	for _, pair := range ends {
		if pair[0] > i || pair[1] > j {
			p := stretch{i, pair[0], j, pair[1]}
			if n := len(places); n > 0 && g.together(places[n-1][len(places[n-1])-1], p) {
				places[n-1] = append(places[n-1], p)
			} else {
				places = append(places, place{p})
			}
		}
		i, j = pair[0]+1, pair[1]+1
	}
	return places
}

// together reports whether a part belongs to the place of the one before it: no statement ends
// between them, nor at the end of the one before.
func (g *grafter) together(before, p stretch) bool {
	for _, t := range g.own[before.to:p.from] {
		if t.text == ";" || t.text == "{" || t.text == "}" {
			return false
		}
	}
	return true
}

// mutation returns the edit that changes some places, perhaps all at which the shaders differ.
func (g *grafter) mutation(places []place, all bool) Mutation {
	m, tokens, replaced := Mutation{Kind: Graft}, 0, 0
	for _, parts := range places {
		for _, p := range parts {
			m.Changes, m.Marks = append(m.Changes, g.change(p)), append(m.Marks, g.underlined(place{p}))
			tokens, replaced = tokens+max(p.to-p.from, p.rightTo-p.rightFrom), replaced+p.to-p.from
			m.To += m.Changes[len(m.Changes)-1].New
		}
	}
	if m.Cost = len(places) + 1 + tokens/2; all && (tokens <= smallGraft || replaced == 0) {
		m.Cost = Slip
	}
	if len(places) == 1 && len(places[0]) == 1 && strings.TrimSpace(m.To) == barrier && places[0][0].from == places[0][0].to {
		m.Kind = Barrier
	}
	m.Span = g.underlined(places[0])
	return m
}

// change returns the edit of a part.
func (g *grafter) change(p stretch) findings.Edit {
	var texts []string
	for _, t := range g.right[p.rightFrom:p.rightTo] {
		texts = append(texts, t.text)
	}
	text := strings.Join(texts, " ")
	if p.from < p.to {
		return findings.Edit{Span: syntax.Span{Start: g.own[p.from].span.Start, End: g.own[p.to-1].span.End}, New: text}
	}
	return findings.Edit{Span: g.gap(p), New: " " + text + " "}
}

// gap returns the empty span of a part that is missing: before the next token.
func (g *grafter) gap(p stretch) syntax.Span {
	if p.from == len(g.own) {
		return g.own[len(g.own)-1].span.At()
	}
	at := g.own[p.from].span.Start
	return syntax.Span{Start: at, End: at}
}

// underlined returns what to underline of a place: the tokens that are wrong, or those around what
// is missing, or nothing if whole statements are.
func (g *grafter) underlined(parts place) syntax.Span {
	first, last := parts[0], parts[len(parts)-1]
	if first.from < last.to {
		from, to := first.from, last.to
		return syntax.Span{Start: g.own[from].span.Start, End: g.own[to-1].span.End}
	}
	if first.from == 0 || first.from == len(g.own) {
		return g.gap(first)
	}
	before := g.own[first.from-1]
	switch before.text {
	case ";", "{", "}":
		return g.gap(first)
	}
	return syntax.Span{Start: before.span.Start, End: g.own[first.from].span.End}
}
