package wgsl

// What TooDeep allows: a bracket weighs bracketWeight, an operator in a row of
// operators one. Code that people write stays far below.
const (
	bracketWeight = 4
	maxWeight     = 4000
)

// TooDeep finds where a source nests so deep, in brackets, operators or `else
// if`, that a compiler which descends into it may run out of stack and take the
// process with it (naga does, from about twice this depth on an 8 MiB stack).
func (s *Source) TooDeep() (line, column int, tooDeep bool) {
	operators := []int{0} // in a row, in each open bracket
	weight := 0
	forget := func() { // a row of operators ends
		innermost := &operators[len(operators)-1]
		weight -= *innermost
		*innermost = 0
	}
	for i, t := range s.tokens {
		switch t.text {
		case "(", "[", "{":
			operators = append(operators, 0)
			weight += bracketWeight
		case ")", "]", "}":
			if len(operators) > 1 {
				forget()
				operators = operators[:len(operators)-1]
				weight -= bracketWeight
			}
			if t.text == "}" && (i+1 == len(s.tokens) || s.tokens[i+1].text != "else") {
				forget()
			}
		case ",", ";":
			forget()
		case "+", "-", "*", "/", "%", "&", "|", "^", "!", "~", "<", ">", "<<", "&&", "||", "==", "!=", "<=", "=", ".", "else":
			operators[len(operators)-1]++
			weight++
		}
		if weight > maxWeight {
			return t.line, t.column, true
		}
	}
	return 0, 0, false
}
