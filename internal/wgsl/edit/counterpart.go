package edit

import (
	"slices"

	"github.com/wgslab/wgslab/internal/wgsl"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// A statement is a counterpart of another one if they have this share of their tokens in common, in
// the same order. One with few tokens has to be the same.
const (
	alikeStatements = 0.7
	fewTokens       = 8
	fewestTokens    = 4 // fewer, such as `i++`, say nothing
	mostMistaken    = 2 // places, such as x and y: a mistake with more is written in a way of its own
)

// A Counterpart is a part of a shader's statement.
type Counterpart struct {
	Span syntax.Span
	Same bool // the whole statement is the same but for names
}

// Counterparts returns where a shader makes the mistake of another wrong one, as far as their texts
// show it: the parts of its statements that correspond to those in which the wrong shader differs
// from the right one that is most like it.
func Counterparts(s, wrong *wgsl.Shader, rights []*wgsl.Shader) (found []Counterpart) {
	mistake, best := (*grafter)(nil), 0
	var places []place
	for _, right := range rights {
		g := &grafter{source: wrong.Source, own: tokensOf(wrong), right: tokensOf(right)}
		g.rename(wrong, right)
		differing := g.places()
		if n := changed(differing); n > 0 && (mistake == nil || n < best) {
			mistake, places, best = g, differing, n
		}
	}
	if len(places) > mostMistaken {
		return nil
	}
	g := &grafter{source: s.Source, own: tokensOf(s), right: tokensOf(wrong)}
	g.rename(s, wrong)
	own, elsewhere := statements(g.own), statementsOf(s, rights)
	for _, parts := range places {
		for _, p := range parts {
			if !within(mistake.own[p.from:p.to]) || !within(mistake.right[p.rightFrom:p.rightTo]) {
				continue
			}
			due := texts(g.renamed(around(mistake.right, p.rightFrom, p.rightTo)))
			for _, at := range statements(mistake.own) {
				if touches(at, p.from, p.to) {
					if c, ok := g.counterpart(own, at, p, append(elsewhere, due)); ok {
						found = append(found, c)
					}
				}
			}
		}
	}
	return found
}

// statementsOf returns the statements of right shaders, with the names of another one.
func statementsOf(s *wgsl.Shader, rights []*wgsl.Shader) (all [][]string) {
	for _, right := range rights {
		g := &grafter{source: s.Source, own: tokensOf(s), right: tokensOf(right)}
		g.rename(s, right)
		for _, at := range statements(g.right) {
			all = append(all, texts(g.right[at[0]:at[1]]))
		}
	}
	return all
}

// changed counts the tokens of places.
func changed(places []place) (n int) {
	for _, parts := range places {
		for _, p := range parts {
			n += max(p.to-p.from, p.rightTo-p.rightFrom)
		}
	}
	return n
}

// counterpart returns the part of an own statement that corresponds to a part of a wrong one. It is
// none if two statements are as similar, or if one of a right shader is.
func (g *grafter) counterpart(own [][2]int, wrong [2]int, p stretch, right [][]string) (c Counterpart, ok bool) {
	theirs, most := texts(g.right[wrong[0]:wrong[1]]), 0.0
	var pairs [][2]int
	var first int
	var best []string
	for _, at := range own {
		mine := texts(g.own[at[0]:at[1]])
		common := align(mine, theirs)
		switch share := shared(len(common), len(mine), len(theirs)); {
		case share == most:
			ok = ok && slices.Equal(mine, best) // the same mistake twice: the first will do
		case share > most:
			ok, most, pairs, first, best = true, share, common, at[0], mine
		}
	}
	if !ok || len(theirs) < fewestTokens || most < alikeStatements || most < 1 && len(theirs) < fewTokens {
		return c, false
	}
	for _, other := range right {
		if shared(len(align(best, other)), len(best), len(other)) >= most {
			return c, false
		}
	}
	for at := p.from; at < p.to; at++ {
		if !slices.ContainsFunc(pairs, func(pair [2]int) bool { return wrong[0]+pair[1] == at }) {
			return c, false // what is wrong isn't there
		}
	}
	from, to := pairs[0][0], pairs[len(pairs)-1][0]
	inside := false
	for _, pair := range pairs {
		switch at := wrong[0] + pair[1]; {
		case at < p.from:
			from = pair[0]
		case at < p.to && !inside:
			from, to, inside = pair[0], pair[0], true
		case at < p.to:
			to = pair[0]
		case !inside:
			to, inside = pair[0], true
		}
	}
	c.Span = syntax.Span{Start: g.own[first+from].span.Start, End: g.own[first+max(from, to)].span.End}
	c.Same = most == 1
	return c, true
}

// shared returns the share of tokens that two statements have in common.
func shared(common, a, b int) float64 { return 2 * float64(common) / float64(a+b) }

func texts(tokens []token) (all []string) {
	for _, t := range tokens {
		all = append(all, t.text)
	}
	return all
}

// statements returns the ranges of the tokens of statements, and of what is between braces.
func statements(tokens []token) (all [][2]int) {
	from := 0
	for i, t := range tokens {
		switch t.text {
		case ";", "{", "}":
			if i > from {
				all = append(all, [2]int{from, i})
			}
			from = i + 1
		}
	}
	return all
}

// within reports whether tokens are in one statement.
func within(tokens []token) bool {
	return !slices.ContainsFunc(tokens, func(t token) bool { return t.text == ";" || t.text == "{" || t.text == "}" })
}

// touches reports whether a range is a part of a statement, or something is missing in it there: a
// whole statement that is missing has no counterpart.
func touches(statement [2]int, from, to int) bool {
	if from == to {
		return statement[0] < from && from <= statement[1]
	}
	return statement[0] < to && from < statement[1]
}

// around returns the tokens of the statement around a range.
func around(tokens []token, from, to int) []token {
	for _, at := range statements(tokens) {
		if touches(at, from, to) {
			return tokens[at[0]:at[1]]
		}
	}
	return nil
}
