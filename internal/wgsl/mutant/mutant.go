// Package mutant changes shaders at random, as slips, half-finished edits and bad pastes do. The
// tests of the tools that read learners' shaders try its mutants: no tool may fail on any text.
package mutant

import (
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// A mutant has at most mostChanges changes, and after each another with a chance of one in oneMore.
// With more changes hardly a mutant compiles, and then only the front end is tested.
const mostChanges, oneMore = 4, 3

// Of returns a mutant of a shader, and the names of its changes in order. The same random numbers
// give the same mutant. The text may have any bytes, and so may the mutant.
func Of(rng *rand.Rand, text string) (mutated string, changes []string) {
	for len(changes) == 0 || len(changes) < mostChanges && rng.IntN(oneMore) == 0 {
		c := pick(rng, weighted)
		m := &maker{rng: rng, text: text, tokens: syntax.Tokens(syntax.NewSource("", text))}
		text = c.make(m)
		changes = append(changes, c.name)
	}
	return text, changes
}

// A maker makes one change.
type maker struct {
	rng    *rand.Rand
	text   string
	tokens []syntax.Span
}

// A change is one way to change a shader. If it doesn't apply, make returns the text as it was.
type change struct {
	name   string
	weight int
	make   func(*maker) string
}

// Changes that mostly keep a shader valid weigh more: only valid ones reach the judge's searches.
var list = []change{
	{"number", 10, (*maker).number},
	{"operator", 10, (*maker).operator},
	{"name", 8, (*maker).name},
	{"line removed", 3, (*maker).removeLine},
	{"line repeated", 2, (*maker).repeatLine},
	{"lines exchanged", 3, (*maker).exchangeLines},
	{"declaration", 3, (*maker).declare},
	{"statement", 3, (*maker).state},
	{"operand", 3, (*maker).wrap},
	{"token removed", 2, (*maker).removeToken},
	{"token repeated", 1, (*maker).repeatToken},
	{"tokens exchanged", 2, (*maker).exchangeTokens},
	{"cut", 1, (*maker).cut},
	{"odd characters", 1, (*maker).insertOdd},
	{"deep", 1, (*maker).nest},
}

// weighted has each change as often as its weight.
var weighted = func() []change {
	var all []change
	for _, c := range list {
		all = append(all, slices.Repeat([]change{c}, c.weight)...)
	}
	return all
}()

func pick[T any](rng *rand.Rand, from []T) T { return from[rng.IntN(len(from))] }

// where returns a random token that is wanted, and its place; ok is false if there is none.
func (m *maker) where(wanted func(token string) bool) (at syntax.Span, ok bool) {
	return m.whereAt(func(at syntax.Span) bool { return wanted(m.slice(at)) })
}

// whereAt works like where, and the place of a token counts.
func (m *maker) whereAt(wanted func(syntax.Span) bool) (at syntax.Span, ok bool) {
	var found []syntax.Span
	for _, t := range m.tokens {
		if wanted(t) {
			found = append(found, t)
		}
	}
	if len(found) == 0 {
		return syntax.Span{}, false
	}
	return pick(m.rng, found), true
}

func (m *maker) slice(s syntax.Span) string { return m.text[s.Start:s.End] }

func (m *maker) replace(s syntax.Span, by string) string {
	return m.text[:s.Start] + by + m.text[s.End:]
}

// exchange exchanges two parts of the text.
func (m *maker) exchange(a, b syntax.Span) string {
	if a.Start > b.Start {
		a, b = b, a
	}
	if a.End > b.Start {
		return m.text
	}
	return m.text[:a.Start] + m.slice(b) + m.text[a.End:b.Start] + m.slice(a) + m.text[b.End:]
}

func isNumber(token string) bool { return token[0] >= '0' && token[0] <= '9' }

func isName(token string) bool {
	return token[0] == '_' || token[0] >= 'a' && token[0] <= 'z' || token[0] >= 'A' && token[0] <= 'Z'
}

// The numbers are at the edges of what types hold, or common slips.
var (
	whole = []string{
		"0", "1", "2", "3", "4", "8", "63", "64", "65", "256", "1024", "65536",
		"2147483647", "2147483648", "4294967295", "0x0", "0x7fffffff", "0xffffffff",
		"9223372036854775807", "9223372036854775808", "00",
	}
	broken = []string{
		"0.0", "1.0", "-0.0", "0.5", "2.0", "1e38", "1e39", "1e-45",
		"3.40282347e+38", "0x1p127", "1e400", "1.", ".5",
	}
)

// number puts another number in place of one, mostly of the same type.
func (m *maker) number() string {
	at, ok := m.where(isNumber)
	if !ok {
		return m.text
	}
	was := m.slice(at)
	digits := strings.TrimRight(was, "uifh")
	suffix, from := was[len(digits):], whole
	if strings.Contains(digits, ".") {
		from = broken
	}
	if m.rng.IntN(8) == 0 {
		suffix = pick(m.rng, []string{"", "u", "i", "f", "h"})
		from = slices.Concat(whole, broken, []string{"-1"})
	}
	return m.replace(at, pick(m.rng, from)+suffix)
}

// operators are in groups; one mostly becomes another of its group.
var operators = [][]string{
	{"+", "-", "*", "/", "%"}, {"<", "<=", ">", ">=", "==", "!="}, {"&&", "||"},
	{"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}, {"++", "--"},
	{"&", "|", "^", "<<", ">>"}, {"!", "~"},
}

func (m *maker) operator() string {
	all := slices.Concat(operators...)
	sensible := m.rng.IntN(8) > 0
	at, ok := m.whereAt(func(at syntax.Span) bool {
		return slices.Contains(all, m.slice(at)) && !(sensible && m.isFixed(at))
	})
	if !ok {
		return m.text
	}
	if sensible {
		all = operators[slices.IndexFunc(operators, func(group []string) bool {
			return slices.Contains(group, m.slice(at))
		})]
	}
	return m.replace(at, pick(m.rng, all))
}

var declaring = []string{"let", "var", "const", "override", "alias"}

// isFixed guesses, from the layout that the course's shaders have, whether an operator allows no
// other: the brackets of a template and the sign of a declaration.
func (m *maker) isFixed(at syntax.Span) bool {
	before := m.text[:at.Start]
	switch m.slice(at) {
	case "<", ">":
		return !strings.HasSuffix(before, " ")
	case "=":
		line := strings.Fields(before[strings.LastIndexAny(before, "\n(;{")+1:])
		return len(line) > 0 && slices.Contains(declaring, line[0])
	}
	return false
}

// words are names that every shader has.
var words = strings.Fields(`
f32 u32 i32 bool f16 vec2f vec3u vec4f atomic array workgroupBarrier storageBarrier max min select
dot arrayLength global_invocation_id local_invocation_id local_invocation_index workgroup_id
num_workgroups x y z w i main let var const return break continue workgroup storage uniform
private function read read_write if for while loop missing _
`)

// name puts another name of the shader, or one that every shader has, in place of a name.
func (m *maker) name() string {
	at, ok := m.where(isName)
	if !ok {
		return m.text
	}
	if other, ok := m.where(isName); ok && m.rng.IntN(4) > 0 {
		return m.replace(at, m.slice(other))
	}
	return m.replace(at, pick(m.rng, words))
}

func (m *maker) any() (syntax.Span, bool) { return m.where(func(string) bool { return true }) }

func (m *maker) removeToken() string {
	at, _ := m.any() // an empty span if there is none
	return m.replace(at, "")
}

func (m *maker) repeatToken() string {
	at, _ := m.any()
	return m.replace(at.At(), " "+m.slice(at)+" ")
}

func (m *maker) exchangeTokens() string {
	a, _ := m.any()
	b, _ := m.any()
	return m.exchange(a, b)
}

// line returns a random line with its break.
func (m *maker) line() syntax.Span {
	lines := strings.SplitAfter(m.text, "\n")
	n := m.rng.IntN(len(lines))
	start := int32(len(strings.Join(lines[:n], "")))
	return syntax.Span{Start: start, End: start + int32(len(lines[n]))}
}

func (m *maker) removeLine() string { return m.replace(m.line(), "") }

func (m *maker) repeatLine() string {
	at := m.line()
	return m.replace(at.At(), m.slice(at))
}

func (m *maker) exchangeLines() string { return m.exchange(m.line(), m.line()) }
