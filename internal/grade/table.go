// Package grade turns many submissions into one table of points.
package grade

import "github.com/wgslab/wgslab/internal/verdict"

// Table is the result of one grading run. The fields with a JSON name are the
// contract of `wgslab grade --format json`.
type Table struct {
	Seed        uint64    `json:"seed"`
	Adapter     string    `json:"adapter"`
	Submissions []Student `json:"submissions"`     // in the order of the students' names
	Shard       *Shard    `json:"shard,omitempty"` // nil for a whole class
}

// Student is what one submission came to.
type Student struct {
	Student   string     `json:"student"`
	Points    float64    `json:"points"`
	MaxPoints float64    `json:"max_points"`
	Exercises []Exercise `json:"exercises"` // every exercise, in the order of the course
	Problems  []string   `json:"problems"`  // what could not be read or had to be decided; never null

	Unread bool `json:"-"` // something could not be read
}

// Exercise is what one exercise of one submission came to.
type Exercise struct {
	ID        string  `json:"id"`
	Points    float64 `json:"points"`
	MaxPoints float64 `json:"max_points"`
	Verdict   Outcome `json:"verdict"`
	Diagnosis string  `json:"diagnosis"` // a slug, or ""

	Detail *verdict.Verdict `json:"-"` // nil where no verdict was reached
	Source string           `json:"-"` // the shader, "" when none was handed in
	Note   string           `json:"-"` // why no verdict was reached, one sentence
}

// Outcome is how an exercise of a submission ended.
type Outcome string

// The outcomes. NeedsExecution is that of a host exercise, which is Go and is
// not run here: it gives no points and asks for none.
const (
	Pass           Outcome = "pass"
	Fail           Outcome = "fail"
	Missing        Outcome = "missing" // not handed in
	NeedsExecution Outcome = "needs-execution"
)
