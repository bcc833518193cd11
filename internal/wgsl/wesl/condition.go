package wesl

import (
	"strings"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/syntax"
)

// conditions applies a module's @if, @elif and @else (Conditional Translation in WESL's
// specification). It works on tokens, because the text of a node that goes away needn't be WGSL.
type conditions struct {
	*module
	features map[string]bool
	open     []byte         // the brackets around a token: '(', '[', '{', 'p' of parameters, 's' of a struct
	chains   map[int]bool   // where a node with a condition ends, whether its chain has a node that stays
	unknown  map[string]int // features without a value that are reported already
	all      bool           // every node stays
}

// translate marks the tokens of all conditions, and of the nodes that go away, as gone.
func (c *conditions) translate() {
	for i := 0; i < len(c.tokens); {
		switch text := c.word(i); text {
		case "(", "[", "{":
			c.open = append(c.open, c.bracket(i))
		case ")", "]", "}":
			if len(c.open) > 0 {
				c.open = c.open[:len(c.open)-1]
			}
		case "@":
			i = c.attributes(i)
			continue
		}
		i++
	}
}

// bracket tells apart the brackets that may hold conditions.
func (c *conditions) bracket(i int) byte {
	switch text := c.word(i); {
	case text == "(" && c.word(i-2) == "fn":
		return 'p'
	case text == "{" && c.word(i-2) == "struct":
		return 's'
	default:
		return text[0]
	}
}

func (c *conditions) within() byte {
	if len(c.open) == 0 {
		return '{'
	}
	return c.open[len(c.open)-1]
}

// attributes reads the attributes that begin at a token, and returns where to go on.
func (c *conditions) attributes(first int) int {
	node, condition := first, -1
	for c.word(node) == "@" {
		if name := c.word(node + 1); name == "if" || name == "elif" || name == "else" {
			if condition >= 0 {
				c.report(c.tokens[node].To(c.tokens[node+1]), "A declaration or statement can have only one `@if`, `@elif` or `@else`.").
					Try("Join the conditions with `&&`.")
			}
			condition = node
		}
		node = c.attributeEnd(node)
	}
	if condition < 0 {
		return node
	}
	name := c.span(condition, condition+2)
	if !c.mayBeHere(first) || node >= len(c.tokens) || c.word(node) == "}" || c.word(node) == ")" {
		c.report(name, "`%s` can't be here.", c.slice(name)).
			Try("Put it before a declaration, a member, a parameter, a statement or a case.")
		c.drop(condition, c.attributeEnd(condition))
		return node
	}
	end := c.nodeEnd(node)
	keep := c.keeps(condition, first, end)
	if !keep {
		c.drop(first, end)
		return end
	}
	c.drop(condition, c.attributeEnd(condition))
	c.dropped[len(c.dropped)-1].parameter = c.within() == 'p' || condition > first
	return node
}

// mayBeHere reports whether a node with attributes can begin at a token.
func (c *conditions) mayBeHere(first int) bool {
	switch within := c.within(); c.word(first - 1) {
	case "", "{", "}", ";":
		return within == '{' || within == 's'
	case "(":
		return within == 'p'
	case ",":
		return within == 'p' || within == 's'
	}
	return false
}

// attributeEnd returns the token after the attribute that begins at a token.
func (c *module) attributeEnd(at int) int {
	if c.word(at+2) == "(" {
		return c.matching(at + 2)
	}
	return min(at+2, len(c.tokens))
}

// matching returns the token after the bracket that closes the one at a token.
func (m *module) matching(open int) int {
	depth := 0
	for i := open; i < len(m.tokens); i++ {
		switch m.word(i) {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(m.tokens)
}

// keeps reports whether a node stays. It notes for the next node what an @elif or @else needs.
func (c *conditions) keeps(condition, first, end int) bool {
	if c.all {
		return true
	}
	name := c.word(condition + 1)
	taken, follows := c.chains[first]
	if name != "if" && !follows {
		at := c.span(condition, condition+2)
		c.report(at, "`%s` has no `@if` before it.", c.slice(at)).Try("Put it right after what has the `@if`.")
	}
	value := true
	if name != "else" {
		value = c.evaluate(condition)
	}
	if name == "if" {
		taken = false
	}
	c.chains[end] = (taken || value) && name != "else"
	if name == "else" {
		delete(c.chains, end)
	}
	return value && !taken
}

// nodeEnd returns the token after the node that begins at a token.
func (c *conditions) nodeEnd(node int) int {
	if within := c.within(); within == 'p' || within == 's' {
		return c.memberEnd(node)
	}
	switch c.word(node) {
	case "fn", "struct", "switch", "loop", "for", "while", "continuing", "case", "default":
		return c.blockEnd(node)
	case "{":
		return c.matching(node)
	case "if":
		end := c.blockEnd(node)
		for c.word(end) == "else" {
			end = c.blockEnd(end)
		}
		return end
	}
	for i := node; i < len(c.tokens); {
		switch c.word(i) {
		case ";":
			return i + 1
		case "}":
			return i
		case "(", "[", "{":
			i = c.matching(i)
		default:
			i++
		}
	}
	return len(c.tokens)
}

// blockEnd returns the token after the first block in braces.
func (c *conditions) blockEnd(node int) int {
	for i := node; i < len(c.tokens); {
		switch c.word(i) {
		case "{":
			return c.matching(i)
		case "(", "[":
			i = c.matching(i)
		default:
			i++
		}
	}
	return len(c.tokens)
}

// memberEnd returns the token after a member or parameter and its comma.
func (c *conditions) memberEnd(node int) int {
	angle := 0
	for i := node; i < len(c.tokens); {
		switch word := c.word(i); {
		case word == "(" || word == "[":
			i = c.matching(i)
			continue
		case word == "}" || word == ")":
			return i
		case word == "<":
			angle++
		case strings.Trim(word, ">") == "":
			angle -= len(word)
		case word == "," && angle <= 0:
			return i + 1
		}
		i++
	}
	return len(c.tokens)
}

// evaluate returns the value of the condition in an attribute. It is false after a mistake.
func (c *conditions) evaluate(attribute int) bool {
	name := c.span(attribute, attribute+2)
	if c.word(attribute+2) != "(" {
		c.report(name, "`%s` has no condition.", c.slice(name)).Try("Write a feature in parentheses, such as `%s(debug)`.", c.slice(name))
		return false
	}
	e := expression{c, attribute + 3, true}
	value := e.or()
	if c.word(e.at) == "," {
		e.at++
	}
	if e.ok && c.word(e.at) != ")" {
		e.fail()
	}
	return value && e.ok
}

// An expression reads a condition: features, true, false, !, && and ||.
type expression struct {
	*conditions
	at int
	ok bool
}

func (e *expression) fail() {
	if e.ok {
		e.report(e.span(e.at, e.at+1), "A condition can't have `%s` here.", e.word(e.at)).
			Try("Use features, `true`, `false`, `!`, `&&`, `||` and parentheses, which `&&` and `||` need beside each other.")
	}
	e.ok = false
}

// or reads a chain of && or of ||, which WGSL doesn't mix (§ 8.19).
func (e *expression) or() bool {
	value := e.not()
	for joined := e.word(e.at); e.ok && (joined == "&&" || joined == "||") && e.word(e.at) == joined; {
		e.at++
		if next := e.not(); joined == "&&" {
			value = value && next
		} else {
			value = value || next
		}
	}
	return value
}

func (e *expression) not() bool {
	switch word := e.word(e.at); {
	case word == "!":
		e.at++
		return !e.not()
	case word == "(":
		e.at++
		value := e.or()
		if e.word(e.at) != ")" {
			e.fail()
		}
		e.at++
		return value
	case word == "true" || word == "false":
		e.at++
		return word == "true"
	case isWord(word):
		e.at++
		return e.feature(word, e.tokens[e.at-1])
	}
	e.fail()
	return false
}

// feature returns the value of a feature. A feature without a value is a mistake, which is reported
// once.
func (c *conditions) feature(name string, at syntax.Span) bool {
	value, ok := c.features[name]
	if c.unknown[name]++; !ok && c.unknown[name] == 1 {
		c.report(at, "The feature `%s` has no value.", name).Try("Give it one: -D %s=true or -D %s=false.", name, name)
	}
	return value
}

func (m *module) report(at syntax.Span, format string, args ...any) *findings.Finding {
	f := findings.Errorf(Mistake, at, format, args...)
	m.mistakes = append(m.mistakes, f)
	return f
}
