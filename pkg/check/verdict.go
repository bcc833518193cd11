package check

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Outcome is right or not.
type Outcome string

// The two outcomes.
const (
	Pass Outcome = "pass"
	Fail Outcome = "fail"
)

// Stage is how far a shader came.
type Stage string

// The stages, in order. A shader that passes came to the last one.
const (
	StageCompile Stage = "compile"
	StageBind    Stage = "bind"
	StageRun     Stage = "run"
	StageCompare Stage = "compare"
)

// A Verdict is what a check found out about a shader. The fields with a JSON
// name are the contract of `wgslab check --json`; the others are for people.
type Verdict struct {
	Exercise     string       `json:"exercise"`
	Outcome      Outcome      `json:"verdict"`
	Stage        Stage        `json:"stage"`
	Diagnosis    string       `json:"diagnosis"` // a slug, "" when the cause is not known
	Message      string       `json:"message"`   // what happened, one sentence
	Line         int          `json:"line"`      // from 1; 0 when it is about no place
	Column       int          `json:"column"`
	Cases        []CaseResult `json:"cases"`
	Adapter      string       `json:"adapter"`
	Seed         uint64       `json:"seed"`
	ShaderSHA256 string       `json:"shader_sha256"`
	Milliseconds float64      `json:"ms"`

	Why      string    `json:"-"` // what lies behind it
	Ask      string    `json:"-"` // a question that leads on
	Excerpt  string    `json:"-"` // the source line with carets
	Detail   string    `json:"-"` // what the compiler adds
	Mismatch *Mismatch `json:"-"`
}

// Passed says whether the shader is right.
func (v *Verdict) Passed() bool { return v.Outcome == Pass }

// A CaseResult is what one case came to.
type CaseResult struct {
	Name          string   `json:"name"`
	Pass          bool     `json:"pass"`
	MaxAbsErr     Number   `json:"max_abs_err"`
	FirstMismatch *Element `json:"first_mismatch"` // null when every element is right
}

// An Element is one value of the output.
type Element struct {
	Index int    `json:"index"`
	Want  Number `json:"want"`
	Got   Number `json:"got"`

	OK        bool `json:"-"`
	Unwritten bool `json:"-"` // it holds what was there before the run
}

// Found is what is there, in words where nobody wrote it.
func (e Element) Found() string {
	if e.Unwritten && !e.OK {
		return "not written"
	}
	return e.Got.String()
}

// A Mismatch is the first wrong element, and what stands around it.
type Mismatch struct {
	Case, Output string
	Index        int
	Want, Got    Number
	Wrong, Of    int
	Unwritten    bool // it holds what was there before the run
	Around       []Element
}

// A Number is a float64 that JSON can carry: NaN and the infinities as strings.
type Number float64

// MarshalJSON implements json.Marshaler.
func (n Number) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(n)) || math.IsInf(float64(n), 0) {
		return json.Marshal(n.String())
	}
	return json.Marshal(float64(n))
}

// String prints as many digits as a float32 has.
func (n Number) String() string {
	if n == Number(math.Trunc(float64(n))) && math.Abs(float64(n)) < 1<<32 {
		return strconv.FormatFloat(float64(n), 'f', -1, 64)
	}
	return strconv.FormatFloat(float64(n), 'g', 7, 32)
}

func caseResult(o outcome) CaseResult {
	c := CaseResult{Name: o.Name, Pass: o.right(), MaxAbsErr: Number(o.difference.MaxAbs)}
	if i := o.difference.First; i >= 0 {
		c.FirstMismatch = &Element{Index: i, Want: Number(o.want.At(i)), Got: Number(o.got.At(i))}
	}
	return c
}

// sentence makes an error message one: a capital, and a full stop.
func sentence(message string) string {
	first, size := utf8.DecodeRuneInString(message)
	message = string(unicode.ToUpper(first)) + message[size:]
	if !strings.ContainsAny(message[len(message)-1:], ".!?:") {
		message += "."
	}
	return message
}

// Headline is the verdict in a few words.
func (v *Verdict) Headline() string {
	if v.Passed() {
		return v.Exercise + ": right"
	}
	if v.Diagnosis == "stub" {
		return v.Exercise + ": not started"
	}
	switch v.Stage {
	case StageCompile:
		return v.Exercise + ": does not compile"
	case StageBind:
		return v.Exercise + ": the bindings do not fit"
	case StageRun:
		return v.Exercise + ": did not finish"
	}
	return v.Exercise + ": not right yet"
}

// Text is the verdict for a terminal, with no newline at the end.
func (v *Verdict) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n", v.Mark().Sign(), v.Headline())
	v.writePlace(&b)
	for _, paragraph := range []string{v.Message, v.Why} {
		if paragraph != "" {
			b.WriteString("\n" + wrap(paragraph, "  ") + "\n")
		}
	}
	if v.Mismatch != nil {
		b.WriteString("\n" + v.Mismatch.text())
	}
	if v.Ask != "" {
		b.WriteString("\n" + wrap("→ "+v.Ask, "  ") + "\n")
	}
	b.WriteString("\n" + v.casesLine() + "\n")
	fmt.Fprintf(&b, "  seed %d, %s, %.0f ms", v.Seed, v.Adapter, v.Milliseconds)
	return visible(b.String())
}

// visible replaces control characters: a shader's line is shown as it is, and
// must not steer the terminal.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return utf8.RuneError
		}
		return r
	}, text)
}

func (v *Verdict) writePlace(b *strings.Builder) {
	if v.Excerpt != "" {
		fmt.Fprintf(b, "\n  line %d, column %d\n%s\n", v.Line, v.Column, indent(v.Excerpt, "  "))
	}
	if v.Detail != "" {
		b.WriteString(indent(v.Detail, "  ") + "\n")
	}
}

func (v *Verdict) casesLine() string {
	if len(v.Cases) == 0 {
		return "  no case ran"
	}
	var parts []string
	for _, c := range v.Cases {
		mark := "✓"
		if !c.Pass {
			mark = "✗"
		}
		parts = append(parts, mark+" "+c.Name)
	}
	return wrap("cases: "+strings.Join(parts, "  "), "  ")
}

func (m *Mismatch) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "  %-12s %14s %14s\n", m.Output, "wanted", "got")
	for _, e := range m.Around {
		mark := ""
		if !e.OK {
			mark = "  ✗"
		}
		fmt.Fprintf(&b, "  %-12s %14s %14s%s\n", fmt.Sprintf("[%d]", e.Index), e.Want, e.Found(), mark)
	}
	return b.String()
}

func indent(text, by string) string {
	return by + strings.ReplaceAll(text, "\n", "\n"+by)
}

// wrap breaks a paragraph into lines of at most 78 characters.
func wrap(paragraph, by string) string {
	const width = 78
	var lines []string
	line := by
	for _, word := range strings.Fields(paragraph) {
		if line != by && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			lines = append(lines, line)
			line = by
		}
		if line != by {
			line += " "
		}
		line += word
	}
	return strings.Join(append(lines, line), "\n")
}
