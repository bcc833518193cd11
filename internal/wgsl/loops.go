package wgsl

import (
	"cmp"
	"slices"
)

// A Loop is a loop statement of a shader.
type Loop struct {
	Keyword      string // loop, while or for
	Line, Column int    // of the keyword, both from 1
}

// A frame is an open block while endlessLoops walks through a function.
type frame struct {
	statement token // the keyword that opened it; "" for a plain block
	unbounded bool  // a loop whose header never ends it
	left      bool  // something inside leaves it
}

func (f *frame) isLoop() bool {
	return f.statement.text == "loop" || f.statement.text == "while" || f.statement.text == "for"
}

// endlessLoops finds the loops of a function's body that nothing can leave: the
// header sets no bound, and inside is no `break` that is this loop's own (one in
// a loop or switch further in leaves only that) and no `return`.
//
// The specification rejects most of them in section "Behavior Analysis", but
// not every compiler does; and a driver may drop such a loop, so that a shader
// which never ends seems to have ended.
func endlessLoops(body []token) []Loop {
	var endless []Loop
	var open []frame
	for at := 0; at < len(body); at++ {
		switch t := body[at]; t.text {
		case "loop", "while", "for", "switch":
			brace := indexOf(body, at, "{")
			open = append(open, frame{statement: t, unbounded: unbounded(body[at:brace])})
			at = brace
		case "{":
			open = append(open, frame{})
		case "}":
			if len(open) == 0 {
				continue
			}
			f := open[len(open)-1]
			open = open[:len(open)-1]
			if f.unbounded && !f.left {
				endless = append(endless, Loop{f.statement.text, f.statement.line, f.statement.column})
			}
		case "break":
			leaveInnermost(open)
		case "return":
			for i := range open {
				open[i].left = true
			}
		}
	}
	slices.SortFunc(endless, func(a, b Loop) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return endless
}

// leaveInnermost marks what a `break` ends.
func leaveInnermost(open []frame) {
	for i := len(open) - 1; i >= 0; i-- {
		if open[i].isLoop() || open[i].statement.text == "switch" {
			open[i].left = true
			return
		}
	}
}

// unbounded says whether a loop's header, from its keyword up to its brace,
// never ends the loop: `loop`, `while (true)`, `for (;;)`, `for (;true;)`.
func unbounded(header []token) bool {
	switch header[0].text {
	case "loop":
		return true
	case "while":
		return alwaysTrue(header[1:])
	case "for":
		from := indexOf(header, 0, ";")
		to := indexOf(header, from+1, ";")
		if from == len(header) || to == len(header) {
			return false
		}
		return from+1 == to || alwaysTrue(header[from+1:to])
	}
	return false
}

// alwaysTrue: the literal `true`, in brackets or not.
func alwaysTrue(condition []token) bool {
	for len(condition) > 2 && condition[0].text == "(" && condition[len(condition)-1].text == ")" {
		condition = condition[1 : len(condition)-1]
	}
	return len(condition) == 1 && condition[0].text == "true"
}

// indexOf is where mark stands at or after from; len(tokens) when it does not.
func indexOf(tokens []token, from int, mark string) int {
	for at := from; at < len(tokens); at++ {
		if tokens[at].text == mark {
			return at
		}
	}
	return len(tokens)
}
