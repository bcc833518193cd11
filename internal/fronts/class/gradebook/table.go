// Package gradebook holds the results of a class: a table of points, what people read from it, and
// the table that the parts of a class merge into.
package gradebook

import (
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/observe/cost"
)

// A ClassTable is the result of one grading run. The fields with a JSON name are the contract of
// `wgslab grade --format json`.
type ClassTable struct {
	Seed        uint64    `json:"seed"`
	Adapter     string    `json:"adapter"`
	Submissions []Student `json:"submissions"`     // in the order of the students' names
	Shard       *Shard    `json:"shard,omitempty"` // nil for a whole class
}

// A Student is the result of one submission.
type Student struct {
	Student   string           `json:"student"`
	Points    float64          `json:"points"`
	MaxPoints float64          `json:"max_points"`
	Exercises []ExerciseResult `json:"exercises"` // in the order of the course; those beyond the eight lessons only if handed in
	Problems  []string         `json:"problems"`  // what could not be read or had to be decided; never null

	Unread bool `json:"-"` // something could not be read
}

// An ExerciseResult is the result of one exercise of one submission.
type ExerciseResult struct {
	ID        string         `json:"id"`
	Points    float64        `json:"points"`
	MaxPoints float64        `json:"max_points"`
	Verdict   ExerciseStatus `json:"verdict"`
	Diagnosis string         `json:"diagnosis"`        // a slug, or ""
	Beyond    bool           `json:"beyond,omitempty"` // beyond the eight lessons: not in the student's points
	Costs     *Costs         `json:"costs,omitempty"`  // nil unless the exercise gives points for its goals by counts

	Detail *verdict.Verdict `json:"-"` // nil if there is no verdict
	Source string           `json:"-"` // the shader; "" if none was handed in
	Note   string           `json:"-"` // why there is no verdict, in one sentence
}

// Costs are the points of a right shader that reaches all goals by counts of its exercise. They
// come on top of the exercise's own points.
type Costs struct {
	Points    float64    `json:"points"`
	MaxPoints float64    `json:"max_points"`
	Marks     cost.Marks `json:"marks"` // of a right shader, one for each goal
}

// ExerciseStatus is how an exercise of a submission ended.
type ExerciseStatus string

// The outcomes. A program in Go needs execution if the machine that grades can't run it in jail:
// then it counts neither for nor against.
const (
	Pass           ExerciseStatus = "pass"
	Fail           ExerciseStatus = "fail"
	Missing        ExerciseStatus = "missing" // not handed in
	NeedsExecution ExerciseStatus = "needs-execution"
)
