// Package verdict holds the result of a check and formats it: as JSON, whose fields are a
// contract with programs, as text for a terminal and as HTML for a notebook.
package verdict

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
	"github.com/wgslab/wgslab/internal/wgsl/numeric"
)

// Outcome says whether the shader is right.
type Outcome string

// The two outcomes.
const (
	Pass Outcome = "pass"
	Fail Outcome = "fail"
)

// CheckStage is how far a shader came.
type CheckStage string

// The stages, in order. A shader that passes came to the last one.
const (
	StageCompile CheckStage = "compile"
	StageBind    CheckStage = "bind"
	StageRun     CheckStage = "run"
	StageCompare CheckStage = "compare"
)

// A Verdict is the result of a check. The fields with a JSON name are the contract of
// `wgslab check --json`; the others are for people.
type Verdict struct {
	Exercise     string             `json:"exercise"`
	Outcome      Outcome            `json:"verdict"`
	Diagnosis                       // why it is wrong; of a right shader, the last stage and a message
	Line         int                `json:"line"` // from 1; 0 if it has no place
	Column       int                `json:"column"`
	Cases        []CaseResult       `json:"cases"`
	Adapter      string             `json:"adapter"`
	Seed         uint64             `json:"seed"`
	ShaderSHA256 string             `json:"shader_sha256"`
	Milliseconds float64            `json:"ms"`
	Findings     []findings.Finding `json:"findings"`         // what was seen in a wrong shader
	Origin       *Origin            `json:"origin"`           // of the first wrong element; null if unknown
	Places       []Place            `json:"places"`           // where the mistake may be, the most likely place first
	Reasons      Reasons            `json:"reasons"`          // why it is wrong, found after the rest
	Remark       string             `json:"remark,omitempty"` // why another engine judged than the one asked for
	Calls        string             `json:"calls,omitempty"`  // of a host program in its last case: a line for each step, and one with their order
	Fault        string             `json:"fault,omitempty"`  // what failed once the verdict was there: a fault of wgslab, with its stack

	Late    bool   `json:"-"` // the engine missed its deadline, and the simulator judged instead
	Note    string `json:"-"` // of a test that passes: what it may have meant to look at
	Found   string `json:"-"` // what the learner has found out already, told before the rest
	Pending bool   `json:"-"` // the reasons are still being looked for
	Wrong   string `json:"-"` // the first wrong element, such as out[63]; "" if all values are right
	Above   int    `json:"-"` // the lines that the learner sees above the file's first: %%writefile in a cell
}

// The diagnoses that code outside their rules needs to know.
const (
	Stub             = "stub"                // the learner has not begun
	Survived         = "survived"            // the shader to break is right in the learner's case
	Unnamed          = "bug-not-named"       // the learner has not named the line with the bug
	OtherSubgroups   = "other-subgroups"     // right with subgroups of one size, and wrong with another
	OtherOrder       = "other-order"         // right if workgroups run by their numbers, and wrong otherwise
	NeverWritten     = "never-written"       // a test starts too few invocations for its elements
	DidNotFinish     = "did-not-finish"      // an invocation that never ended
	TooMuchToCompile = "too-much-to-compile" // a compiler that never ended
)

// A Diagnosis is what a rule found out about a wrong shader.
type Diagnosis struct {
	Stage    CheckStage    `json:"stage"`
	Slug     string        `json:"diagnosis"` // "" if the cause is unknown
	Message  string        `json:"message"`   // what happened, in one sentence
	Try      string        `json:"-"`         // what to write instead; may be ""
	Why      string        `json:"-"`         // the reason; may be ""
	Besides  string        `json:"-"`         // what is worth knowing beside the reason; may be ""
	Ask      string        `json:"-"`         // a question that leads on; may be ""
	General  bool          `json:"-"`         // Ask fits every shader with this diagnosis: a question about the learner's line is better
	Division string        `json:"-"`         // of OtherSubgroups: the subgroups with which the cases ran
	Tells    findings.Kind `json:"-"`         // of the finding that this is about; "" if it is about none

	findings.Region `json:"-"` // zero if it has no place
	Excerpt         string     `json:"-"` // the source line with carets
	Perhaps         bool       `json:"-"` // the excerpt shows the likeliest line, and not surely the mistake's
	Detail          string     `json:"-"` // what the compiler adds

	Mismatch *Mismatch `json:"-"` // the first wrong element, if it helps
}

// A DiagnosedError is the error of a learner's function whose cause is known: a panic, for example.
type DiagnosedError struct{ Diagnosis }

func (e *DiagnosedError) Error() string { return e.Message }

// Fail gives the verdict a diagnosis.
func (v *Verdict) Fail(d Diagnosis) {
	v.Outcome, v.Diagnosis, v.Line, v.Column = Fail, d, d.Line, d.Column
}

// Placed reports whether the verdict points to a place in the shader's text, or quotes it: then it
// is about this text, and not about another with the same tokens.
func (v *Verdict) Placed() bool {
	return v.Line > 0 || v.Excerpt != "" || len(v.Places) > 0 || v.Origin != nil ||
		slices.ContainsFunc(v.Findings, func(f findings.Finding) bool { return f.Line > 0 || len(f.Related) > 0 }) ||
		slices.ContainsFunc(v.Reasons, func(r Reason) bool { return r.Line > 0 || r.Excerpt != "" })
}

// Pass makes the verdict a pass.
func (v *Verdict) Pass(message string) {
	v.Outcome, v.Stage, v.Message = Pass, StageCompare, message
}

// Digest returns the SHA-256 of a shader in hexadecimal.
func Digest(source string) string {
	sum := sha256.Sum256([]byte(source))
	return hex.EncodeToString(sum[:])
}

// ItsOwnReason reports whether the diagnosis says all that can be known: a search would look for
// reasons of wrong values, and these are right in the usual run.
func (v *Verdict) ItsOwnReason() bool {
	return v.Slug == Unnamed || v.Slug == OtherSubgroups || v.Slug == OtherOrder || v.Slug == NeverWritten
}

// Passed reports whether the shader is right.
func (v *Verdict) Passed() bool { return v.Outcome == Pass }

// A CaseResult is the result of one case.
type CaseResult struct {
	Name          string             `json:"name"`
	Pass          bool               `json:"pass"`
	MaxAbsErr     numeric.JSONNumber `json:"max_abs_err"`
	FirstMismatch *OutputElement     `json:"first_mismatch"` // null if every element is right
}

// An OutputElement is one value of the output.
type OutputElement struct {
	Output    string             `json:"output,omitempty"` // its name, if the exercise has several
	Index     int                `json:"index"`
	Component string             `json:"component,omitempty"` // of a vector: x, y, z or w
	Want      numeric.JSONNumber `json:"want"`
	Got       numeric.JSONNumber `json:"got"`

	Packed    bool `json:"-"` // the values are four signed bytes
	OK        bool `json:"-"`
	Unwritten bool `json:"-"` // it still holds the value from before the run
}

// Found returns the value, or says in words that it was never written.
func (e OutputElement) Found() string {
	if e.Unwritten && !e.OK {
		return "not written"
	}
	return e.apart(e.Got)
}

// Wanted returns the right value.
func (e OutputElement) Wanted() string { return e.apart(e.Want) }

// apart writes one of the two numbers with enough digits that a wrong one differs from the right
// one.
func (e OutputElement) apart(n numeric.JSONNumber) string {
	if e.OK {
		return inBytes(n, e.Packed)
	}
	return apart(n, e.Got, e.Want, e.Packed)
}

// apart writes a number with enough digits that got and want differ, if they do.
func apart(n, got, want numeric.JSONNumber, packed bool) string {
	if packed || got.String() != want.String() {
		return inBytes(n, packed)
	}
	return strconv.FormatFloat(float64(n), 'g', 9, 64) // 9 digits tell any two f32 apart
}

// inBytes writes a number, or the four signed bytes that are packed in it, the lowest first.
func inBytes(n numeric.JSONNumber, packed bool) string {
	if !packed {
		return n.String()
	}
	word := uint32(n)
	return fmt.Sprintf("(%d, %d, %d, %d)", int8(word), int8(word>>8), int8(word>>16), int8(word>>24))
}

// A Mismatch is the first wrong element with its surroundings.
type Mismatch struct {
	Case, Output string
	Index        int
	Component    string // of a vector: x, y, z or w; "" if the output holds no vectors
	Want, Got    numeric.JSONNumber
	Packed       bool // they are four signed bytes
	Wrong, Of    int
	Unwritten    bool               // it still holds the value from before the run
	Kept         bool               // it was written with that value
	Lanes        bool               // the shader reads values from other lanes of its subgroup
	First        numeric.JSONNumber // what element 0 should be
	Around       []OutputElement
}
