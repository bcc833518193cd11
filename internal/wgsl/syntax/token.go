package syntax

import "maps"

// kind is the kind of a token. The operators < and > remain single characters until template lists
// are known.
type kind uint8

const (
	tokEOF kind = iota
	tokIdent
	tokReserved // a reserved word (§ 16.2)
	tokNumber
	tokString // a string or character literal, which WGSL lacks; reported by the lexer
	tokBad    // reported by the lexer

	tokParenL
	tokParenR
	tokBracketL
	tokBracketR
	tokBraceL
	tokBraceR
	tokSemicolon
	tokComma
	tokColon
	tokDot
	tokAt
	tokArrow
	tokUnderscore
	tokAssign
	tokPlus
	tokMinus
	tokStar
	tokSlash
	tokPercent
	tokAnd
	tokOr
	tokXor
	tokNot
	tokTilde
	tokAndAnd
	tokOrOr
	tokEqual
	tokNotEqual
	tokPlusPlus
	tokMinusMinus
	tokPlusAssign
	tokMinusAssign
	tokStarAssign
	tokSlashAssign
	tokPercentAssign
	tokAndAssign
	tokOrAssign
	tokXorAssign
	tokQuestion // ? of other languages, reported by the parser

	tokLess
	tokGreater
	tokLessEqual
	tokGreaterEqual
	tokShiftL
	tokShiftR
	tokShiftLAssign
	tokShiftRAssign
	tokTemplL // < that opens a template list
	tokTemplR // > that closes one

	tokAlias // the keywords, in the order of § 16.1
	tokBreak
	tokCase
	tokConst
	tokConstAssert
	tokContinue
	tokContinuing
	tokDefault
	tokDiagnostic
	tokDiscard
	tokElse
	tokEnable
	tokFalse
	tokFn
	tokFor
	tokIf
	tokLet
	tokLoop
	tokOverride
	tokRequires
	tokReturn
	tokStruct
	tokSwitch
	tokTrue
	tokVar
	tokWhile
)

func (k kind) keyword() bool { return k >= tokAlias }

// word reports whether the token has the form of an identifier, so that a template list may follow
// it.
func (k kind) word() bool {
	return k == tokIdent || k == tokReserved || k.keyword() && k != tokTrue && k != tokFalse
}

// token is a kind and its place in the text.
type token struct {
	start, end int32
	kind       kind
}

func (t token) span() Span { return Span{Start: t.start, End: t.end} }

var keywordKinds = map[string]kind{
	"alias": tokAlias, "break": tokBreak, "case": tokCase, "const": tokConst, "const_assert": tokConstAssert,
	"continue": tokContinue, "continuing": tokContinuing, "default": tokDefault, "diagnostic": tokDiagnostic,
	"discard": tokDiscard, "else": tokElse, "enable": tokEnable, "false": tokFalse, "fn": tokFn, "for": tokFor,
	"if": tokIf, "let": tokLet, "loop": tokLoop, "override": tokOverride, "requires": tokRequires,
	"return": tokReturn, "struct": tokStruct, "switch": tokSwitch, "true": tokTrue, "var": tokVar, "while": tokWhile,
}

// wordKinds maps the keywords and the reserved words to their kinds.
var wordKinds = func() map[string]kind {
	words := make(map[string]kind, len(keywordKinds)+len(reservedWords))
	for w := range reservedWords {
		words[w] = tokReserved
	}
	maps.Copy(words, keywordKinds)
	return words
}()

var binaryOps = [...]Op{
	tokPlus: OpAdd, tokMinus: OpSub, tokStar: OpMul, tokSlash: OpDiv, tokPercent: OpRem, tokAnd: OpAnd, tokOr: OpOr,
	tokXor: OpXor, tokShiftL: OpShl, tokShiftR: OpShr, tokAndAnd: OpLogicalAnd, tokOrOr: OpLogicalOr,
	tokEqual: OpEqual, tokNotEqual: OpNotEqual, tokLess: OpLess, tokLessEqual: OpLessEqual, tokGreater: OpGreater,
	tokGreaterEqual: OpGreaterEqual, tokTemplR: OpNone,
}

// binaryOp returns the operator that the token is between two operands, or OpNone.
func (k kind) binaryOp() Op {
	if int(k) < len(binaryOps) {
		return binaryOps[k]
	}
	return OpNone
}

var assignOps = map[kind]Op{
	tokAssign: OpNone, tokPlusAssign: OpAdd, tokMinusAssign: OpSub, tokStarAssign: OpMul, tokSlashAssign: OpDiv,
	tokPercentAssign: OpRem, tokAndAssign: OpAnd, tokOrAssign: OpOr, tokXorAssign: OpXor, tokShiftLAssign: OpShl,
	tokShiftRAssign: OpShr,
}
