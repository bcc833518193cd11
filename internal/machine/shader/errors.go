package shader

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// A CompileError describes a mistake in a shader, found before the shader runs.
type CompileError struct {
	Shader string // the shader's name
	findings.Finding
	Detail string // what the compiler adds: labels and notes, one a line; may be ""
	Text   string // the source line
	Empty  bool   // the shader has no function at all: nobody has begun it
	Lacks  bool   // the engine lacks a part of WGSL, and the message says which: it is no compiler's refusal
}

// NotBegun reports whether the shader declares no more than what it is given.
func (e *CompileError) NotBegun() bool { return e.Empty }

func (e *CompileError) Error() string {
	var b strings.Builder
	b.WriteString(cmp.Or(e.File, e.Shader))
	if e.Line > 0 {
		fmt.Fprintf(&b, ":%d:%d", e.Line, e.Column)
	}
	b.WriteString(": ")
	switch {
	case e.Lacks:
		b.WriteString("WGSL allows this, but ")
	case e.Kind == findings.EngineRefuses:
		b.WriteString("WGSL allows this, but this device's compiler refuses it: ")
	}
	b.WriteString(e.Message)
	if e.Hint != "" {
		b.WriteString(" " + e.Hint)
	}
	if e.Line > 0 {
		b.WriteString("\n" + e.Excerpt())
	}
	if e.Detail != "" {
		b.WriteString("\n" + e.Detail)
	}
	return b.String()
}

// RefusedOnly reports whether err is about a shader that WGSL allows and only the engine's own
// compiler refuses.
func RefusedOnly(err error) bool {
	var e *CompileError
	return errors.As(err, &e) && e.Kind == findings.EngineRefuses
}

// Excerpt returns the source line with carets below the mistake, for a fixed-width font.
func (e *CompileError) Excerpt() string { return e.Region.Excerpt(e.Text) }

// A BindError says that the given buffers do not match what the shader declares.
type BindError struct {
	Shader  string
	Binding int    // its number; -1 if the mistake is not about one binding
	Name    string // the shader's variable; "" if the shader declares none there
	Message string // what the shader declares, what it was given, and why they do not match
}

func (e *BindError) Error() string { return e.Shader + ": " + e.Message }

// An EndlessError says that a shader has a loop that nothing can leave. The check runs before the
// shader does: a driver may drop such a loop, and the shader would seem to have ended. The device
// stays usable.
type EndlessError struct {
	Shader       string
	Line, Column int // of the loop, both from 1
}

func (e *EndlessError) Error() string {
	return fmt.Sprintf("%s did not finish: the loop on line %d has no break and no return, so no invocation can ever leave it", e.Shader, e.Line)
}

// ErrNeverEnds is the cause (context.Cause) of a cancelled run that was found never to end. An
// engine that cannot stop its shader then marks its device as lost and stops waiting.
var ErrNeverEnds = errors.New("the shader never ends")

// A DeadlineError says that the device did not finish in time. The device is lost: it cannot be
// used again.
type DeadlineError struct {
	What      string // what was waited for
	Compiling bool   // whether the engine waited for a compiler and not for a shader
	Deadline  time.Duration
	Steps     uint64 // of an engine that counts steps instead of time: how many it allows
	Hint      string // a possible reason
}

func (e *DeadlineError) Error() string {
	return fmt.Sprintf("%s did not finish within %s: %s", e.What, e.Limit(), e.Hint)
}

// Limit returns the time or the number of steps that were allowed. It is the same in every run.
func (e *DeadlineError) Limit() string {
	switch {
	case e.Steps == 0:
		return e.Deadline.String()
	case e.Steps%1_000_000 == 0:
		return fmt.Sprintf("%d million steps", e.Steps/1_000_000)
	}
	return fmt.Sprintf("%d steps", e.Steps)
}

// Unwrap makes errors.Is(err, ErrLost) true.
func (e *DeadlineError) Unwrap() error { return ErrLost }
