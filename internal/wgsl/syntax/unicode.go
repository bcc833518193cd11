package syntax

import "unicode"

// The characters in ID_Start and ID_Continue that are not in XID_Start and XID_Continue, because
// Unicode's compatibility normalisation (NFKC) would break a name (UAX #31, section 5.1).
var (
	notXID = &unicode.RangeTable{R16: []unicode.Range16{
		{Lo: 0x037A, Hi: 0x037A, Stride: 1}, {Lo: 0x309B, Hi: 0x309C, Stride: 1}, {Lo: 0xFC5E, Hi: 0xFC63, Stride: 1},
		{Lo: 0xFDFA, Hi: 0xFDFB, Stride: 1}, {Lo: 0xFE70, Hi: 0xFE7E, Stride: 2},
	}}
	notXIDStart = &unicode.RangeTable{R16: []unicode.Range16{
		{Lo: 0x0E33, Hi: 0x0EB3, Stride: 0x80}, {Lo: 0xFF9E, Hi: 0xFF9F, Stride: 1},
	}}
)

// isXIDStart reports whether a name may start with the character; it does not include `_`.
func isXIDStart(r rune) bool {
	return unicode.In(r, unicode.L, unicode.Nl, unicode.Other_ID_Start) &&
		!unicode.In(r, unicode.Pattern_Syntax, unicode.Pattern_White_Space, notXID, notXIDStart)
}

// isXIDContinue reports whether a name may contain the character after its start.
func isXIDContinue(r rune) bool {
	return unicode.In(r, unicode.L, unicode.Nl, unicode.Other_ID_Start,
		unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc, unicode.Other_ID_Continue) &&
		!unicode.In(r, unicode.Pattern_Syntax, unicode.Pattern_White_Space, notXID)
}

// isBlank reports whether the character is blankspace (§ 3.2).
func isBlank(r rune) bool {
	switch r {
	case ' ', '\t', '\n', '\v', '\f', '\r', 0x85, 0x200E, 0x200F, 0x2028, 0x2029:
		return true
	}
	return false
}

// isLineBreak reports whether the character ends a line and so a // comment (§ 3.2).
func isLineBreak(r rune) bool {
	switch r {
	case '\n', '\v', '\f', '\r', 0x85, 0x2028, 0x2029:
		return true
	}
	return false
}

// lookAlikes maps characters that word processors, PDFs and phones insert to the ASCII characters
// that WGSL expects. A space marks an invisible character that can be dropped.
var lookAlikes = map[rune]string{
	0xA0: " ", 0x2000: " ", 0x2001: " ", 0x2002: " ", 0x2003: " ", 0x2004: " ", 0x2005: " ", 0x2006: " ", 0x2007: " ",
	0x2008: " ", 0x2009: " ", 0x200A: " ", 0x200B: " ", 0x202F: " ", 0x205F: " ", 0x2060: " ", 0x3000: " ", 0xFEFF: " ",
	'−': "-", '–': "-", '—': "-", '‐': "-", '‑': "-", '×': "*", '∗': "*", '·': "*", '⋅': "*", '÷': "/", '∕': "/",
	'⁄': "/", '≤': "<=", '≥': ">=", '≠': "!=", '→': "->", '；': ";", '：': ":", '，': ",", '．': ".", '（': "(", '）': ")",
	'［': "[", '］': "]", '｛': "{", '｝': "}", '＝': "=", '＋': "+", '－': "-", '＊': "*", '／': "/", '＜': "<", '＞': ">",
	'！': "!", '＆': "&", '｜': "|", '＠': "@", '‹': "<", '›': ">", '\u037E': ";", '¬': "!", '∧': "&&", '∨': "||",
}

// InName reports whether a name or keyword may contain the character (§ 3.7).
func InName(r rune) bool { return isXIDContinue(r) }
