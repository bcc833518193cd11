package syntax

// unclosed is a `<` that may open a template list: its index and the nesting depth of the ( and [
// around it.
type unclosed struct {
	index, depth int
}

// findTemplates distinguishes the < and > of template lists from operators, by the algorithm of
// § 3.9 (template list discovery) on tokens. It joins the remaining ones into <=, <<, <<=, >=, >>
// and >>=.
func findTemplates(tokens []token) []token {
	var pending []unclosed
	depth := 0
	closeTo := func(depth int) {
		for len(pending) > 0 && pending[len(pending)-1].depth >= depth {
			pending = pending[:len(pending)-1]
		}
	}
	for i := 0; i < len(tokens); i++ {
		k := tokens[i].kind
		if k.word() && tokens[i+1].kind == tokLess {
			i++
			switch after := adjacent(tokens, i); after {
			case tokLess, tokAssign:
				i++ // << or <=
			default:
				pending = append(pending, unclosed{i, depth})
			}
			continue
		}
		switch k {
		case tokGreater:
			if n := len(pending); n > 0 && pending[n-1].depth == depth {
				tokens[pending[n-1].index].kind = tokTemplL
				tokens[i].kind = tokTemplR
				pending = pending[:n-1]
			} else if adjacent(tokens, i) == tokAssign {
				i++ // >=
			}
		case tokParenL, tokBracketL:
			depth++
		case tokParenR, tokBracketR:
			closeTo(depth)
			depth = max(0, depth-1)
		case tokSemicolon, tokBraceL, tokColon, tokAssign, tokPlusAssign, tokMinusAssign, tokStarAssign,
			tokSlashAssign, tokPercentAssign, tokAndAssign, tokOrAssign, tokXorAssign:
			pending, depth = pending[:0], 0
		case tokAndAnd, tokOrOr:
			closeTo(depth)
		}
	}
	return joinAngles(tokens)
}

// adjacent returns the kind of the token that follows token i without a gap, or tokEOF.
func adjacent(tokens []token, i int) kind {
	if i+1 < len(tokens) && tokens[i+1].start == tokens[i].end {
		return tokens[i+1].kind
	}
	return tokEOF
}

var joined = map[[2]kind]kind{
	{tokLess, tokLess}: tokShiftL, {tokLess, tokAssign}: tokLessEqual, {tokShiftL, tokAssign}: tokShiftLAssign,
	{tokGreater, tokGreater}: tokShiftR, {tokGreater, tokAssign}: tokGreaterEqual,
	{tokShiftR, tokAssign}: tokShiftRAssign,
}

func joinAngles(tokens []token) []token {
	out := tokens[:0]
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		if t.kind == tokLess || t.kind == tokGreater {
			for i+1 < len(tokens) && tokens[i+1].start == t.end {
				k, ok := joined[[2]kind{t.kind, tokens[i+1].kind}]
				if !ok {
					break
				}
				t.kind, t.end = k, tokens[i+1].end
				i++
			}
		}
		out = append(out, t)
	}
	return out
}
