package jail

import (
	"context"

	"github.com/wgslab/wgslab/internal/course/judge/verdict"
)

// A Language is what a hand-in is written in.
type Language string

// The languages of hand-ins. A program in Go is built first, in jail as well.
const (
	WGSL       Language = ""
	Go         Language = "go"
	JavaScript Language = "js"
)

// A Judge gives the verdict on a hand-in. It runs in jail.
type Judge func(context.Context, Task) (*verdict.Verdict, error)
