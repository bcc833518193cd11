package syntax

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/numeric"
)

// number skips a numeric literal and all letters and digits attached to it; parseNumber judges it.
func (l *lexer) number() {
	start := l.pos
	hex := l.text[l.pos] == '0' && (l.peek(1) == 'x' || l.peek(1) == 'X')
	digit, exponent := isDigit, byte('e')
	if hex {
		l.pos += 2
		digit, exponent = isHexDigit, 'p'
	}
	l.digits(digit)
	if l.peek(0) == '.' && !(hex && l.pos == start+2 && !isHexDigit(l.peek(1))) {
		l.pos++
		l.digits(digit)
	}
	if l.peek(0)|0x20 == exponent {
		sign := 0
		if c := l.peek(1); c == '+' || c == '-' {
			sign = 1
		}
		if isDigit(l.peek(1 + sign)) {
			l.pos += 1 + sign
			l.digits(isDigit)
		}
	}
	for l.pos < len(l.text) { // the suffix, right or wrong
		r, size := utf8.DecodeRuneInString(l.text[l.pos:])
		if r != '_' && !isXIDContinue(r) {
			break
		}
		l.pos += size
	}
	l.emit(tokNumber, start)
}

func (l *lexer) digits(digit func(byte) bool) {
	for l.pos < len(l.text) && digit(l.text[l.pos]) {
		l.pos++
	}
}

// numberForm holds the parts of a numeric literal.
type numberForm struct {
	body   string // without suffix
	suffix string
	hex    bool
	float  bool // a point or an exponent
}

func splitNumber(text string) numberForm {
	f := numberForm{hex: len(text) > 1 && text[0] == '0' && text[1]|0x20 == 'x'}
	digit, exponent, i := isDigit, byte('e'), 0
	if f.hex {
		digit, exponent, i = isHexDigit, 'p', 2
	}
	pass := func(digit func(byte) bool) {
		for i < len(text) && digit(text[i]) {
			i++
		}
	}
	pass(digit)
	if i < len(text) && text[i] == '.' {
		f.float = true
		i++
		pass(digit)
	}
	if i < len(text) && text[i]|0x20 == exponent {
		j := i + 1
		if j < len(text) && (text[j] == '+' || text[j] == '-') {
			j++
		}
		if j < len(text) && isDigit(text[j]) {
			f.float = true
			i = j
			pass(isDigit)
		}
	}
	f.body, f.suffix = text[:i], text[i:]
	return f
}

// parseNumber checks a numeric literal (§ 3.5.2) and sets the literal's kind and value. It returns
// nil if the literal is valid.
func parseNumber(text string, span Span, lit *Literal) *findings.Finding {
	f := splitNumber(text)
	lit.Kind, lit.Text = f.kind(), text
	if d := f.validate(text, span); d != nil {
		return d
	}
	if lit.Kind == IntLit || lit.Kind == I32Lit || lit.Kind == U32Lit {
		return f.integer(text, span, lit)
	}
	return f.floating(text, span, lit)
}

func (f numberForm) kind() LiteralKind {
	switch f.suffix {
	case "i":
		return I32Lit
	case "u":
		return U32Lit
	case "f":
		return F32Lit
	case "h":
		return F16Lit
	}
	if f.float {
		return FloatLit
	}
	return IntLit
}

// validate returns the mistake in the literal's form, or nil.
func (f numberForm) validate(text string, span Span) *findings.Finding {
	digits := strings.TrimPrefix(strings.TrimPrefix(f.body, "0x"), "0X")
	bad := func(format string, args ...any) *findings.Finding {
		return findings.Errorf("bad-number", span, format, args...)
	}
	switch {
	case f.hex && strings.Trim(digits, ".") == "":
		return bad("`%s` has no digits after `0x`.", text).Try("Write hexadecimal digits, such as `0xff`.")
	case f.hex && f.float && strings.HasPrefix(strings.ToLower(digits), "."+"p"):
		return bad("`%s` has no digits before its exponent.", text).Try("Write digits, such as `0x1.8p3`.")
	case f.suffix == "":
	case f.float && (f.suffix == "i" || f.suffix == "u"):
		return bad("`%s` has a point or exponent, but the suffix `%s` of a whole number.", text, f.suffix).
			Try("Write `%sf`, or a whole number.", f.body)
	case f.hex && f.suffix == "h" && !f.float, f.hex && (f.suffix == "f" || f.suffix == "h") && !strings.ContainsAny(f.body, "pP"):
		return bad("A hexadecimal number takes the suffix `%s` only after an exponent.", f.suffix).
			Try("Write `%sp0%s`.", f.body, f.suffix)
	case f.suffix == "i" || f.suffix == "u" || f.suffix == "f" || f.suffix == "h":
	default:
		return f.badSuffix(text, span)
	}
	if !f.hex && !f.float && len(f.body) > 1 && f.body[0] == '0' {
		plain := strings.TrimLeft(f.body, "0")
		if plain == "" {
			plain = "0"
		}
		return bad("`%s` starts with a 0, which WGSL forbids because it looks like octal.", text).
			Try("Write `%s`.", plain+f.suffix).Replace(span, plain+f.suffix, "write `"+plain+f.suffix+"`")
	}
	return nil
}

// badSuffix explains suffixes of other languages.
func (f numberForm) badSuffix(text string, span Span) *findings.Finding {
	bad := func(format string, args ...any) *findings.Finding {
		return findings.Errorf("bad-number", span, format, args...)
	}
	instead := func(d *findings.Finding, number string) *findings.Finding {
		return d.Try("Write `%s`.", number).Replace(span, number, "write `"+number+"`")
	}
	suffix := strings.ToLower(f.suffix)
	switch {
	case f.body == "0" && (suffix[0] == 'b' || suffix[0] == 'o') && len(suffix) > 1:
		if v, err := strconv.ParseInt("0"+suffix, 0, 64); err == nil {
			return instead(bad("WGSL knows decimal and hexadecimal numbers, but not `%s`.", text), "0x"+strconv.FormatInt(v, 16))
		}
	case strings.Contains(text, "_") && strings.Trim(suffix, "_0123456789iufh") == "":
		return instead(bad("WGSL does not allow `_` in a number."), strings.ReplaceAll(text, "_", ""))
	case suffix == "l" || suffix == "ll":
		return instead(bad("WGSL has no 64-bit numbers, so it does not know the suffix `%s`.", f.suffix), f.body)
	case suffix == "ul" || suffix == "ull" || suffix == "lu" || suffix == "u32" || suffix == "u" || suffix == "u64" || suffix == "usize":
		if !f.float {
			return instead(bad("The suffix of an unsigned number is `u`, not `%s`.", f.suffix), f.body+"u")
		}
	case suffix == "i32" || suffix == "i" || suffix == "i64":
		if !f.float {
			return instead(bad("The suffix of a signed number is `i`, not `%s`.", f.suffix), f.body+"i")
		}
	case suffix == "d" || suffix == "lf" || suffix == "f64":
		return instead(bad("WGSL has no 64-bit floats, so it does not know the suffix `%s`.", f.suffix), f.asFloat("f"))
	case suffix == "f" || suffix == "f32":
		return instead(bad("The suffix of an f32 is a small `f`, not `%s`.", f.suffix), f.asFloat("f"))
	case suffix == "h" || suffix == "hf" || suffix == "f16":
		return instead(bad("The suffix of an f16 is a small `h`, not `%s`.", f.suffix), f.asFloat("h"))
	case (suffix == "e" || suffix == "p" && f.hex) && f.suffix != "":
		return bad("The exponent of `%s` has no digits.", text).Try("Write digits after the `%s`, or delete it.", f.suffix)
	}
	return bad("`%s` is neither a number nor a name: names cannot start with a digit, and WGSL's number suffixes are `u`, `i`, `f` and `h`.", text).
		Try("Put a space or an operator after `%s`, or start the name with a letter.", f.body)
}

func (f numberForm) asFloat(suffix string) string {
	if f.hex {
		return f.body
	}
	return f.body + suffix
}

func (f numberForm) integer(text string, span Span, lit *Literal) *findings.Finding {
	digits, base := f.body, 10
	if f.hex {
		digits, base = f.body[2:], 16
	}
	limit := map[LiteralKind]uint64{IntLit: math.MaxInt64, I32Lit: math.MaxInt32, U32Lit: math.MaxUint32}[lit.Kind]
	v, err := strconv.ParseUint(digits, base, 64)
	if err == nil && v <= limit {
		lit.Int = int64(v)
		return nil
	}
	name := map[LiteralKind]string{IntLit: "any whole number of WGSL", I32Lit: "an i32", U32Lit: "a u32"}[lit.Kind]
	d := findings.Errorf("number-out-of-range", span, "`%s` is too large for %s: the largest is %d.", text, name, limit).
		Try("Use a smaller number.")
	if lit.Kind == I32Lit && err == nil && v == math.MaxInt32+1 {
		d.Try("For the smallest i32, write `i32(-2147483648)`.")
	} else if lit.Kind == I32Lit && err == nil && v <= math.MaxUint32 {
		d.Try("A u32 holds it: write `%su`.", f.body)
	}
	return d
}

// tooLarge reports a float past the largest value of its type. near says that it would round to
// that value, so it is probably meant.
func tooLarge(text string, span Span, kind LiteralKind, name string, near bool) *findings.Finding {
	largest := map[LiteralKind]string{FloatLit: "1.7976931348623157e308", F32Lit: "3.4028234e38f", F16Lit: "65504h"}[kind]
	d := findings.Errorf("number-out-of-range", span, "`%s` is too large for %s: the largest is %s.", text, name, largest)
	if near {
		return d.Try("Write `%s`.", largest).Replace(span, largest, "write `"+largest+"`")
	}
	return d.Try("Use a smaller number.")
}

// maxExactDigits limits the work on hexadecimal floats with very many digits.
const maxExactDigits = 256

func (f numberForm) floating(text string, span Span, lit *Literal) *findings.Finding {
	body := f.body
	if f.hex && !strings.ContainsAny(body, "pP") {
		body += "p0"
	}
	v, _ := strconv.ParseFloat(body, 64)
	name, rounded, largest := "a float", v, math.MaxFloat64
	switch lit.Kind {
	case F32Lit:
		name, rounded, largest = "an f32", float64(float32(v)), math.MaxFloat32
		if !f.hex { // round once, not first to 64 bits and then to 32
			single, _ := strconv.ParseFloat(body, 32)
			rounded = single
		}
	case F16Lit:
		name, rounded, largest = "an f16", numeric.RoundF16(v), numeric.LargestF16
	}
	if v > largest { // even where the largest value is the nearest (§ 15.7.6)
		return tooLarge(text, span, lit.Kind, name, !math.IsInf(rounded, 0))
	}
	if f.hex && lit.Kind != FloatLit && !f.exact(body, rounded) {
		return findings.Errorf("number-not-exact", span, "`%s` has more digits than %s can hold.", text, name).
			Try("Write fewer digits, or delete the suffix.")
	}
	lit.Float = rounded
	return nil
}

// exact reports whether the hexadecimal float has the value v without rounding.
func (f numberForm) exact(body string, v float64) bool {
	if len(body) > maxExactDigits {
		return true
	}
	big, _, err := big.ParseFloat(body, 0, uint(4*len(body)), big.ToNearestEven)
	if err != nil {
		return false
	}
	exact, accuracy := big.Float64()
	return accuracy == 0 && exact == v
}
