package nbformat

import (
	"encoding/json"
	"fmt"
	"regexp"
)

// Grading is a cell's metadata for nbgrader (its schema 3). It describes the learner's own cells
// and the locked, graded cells. Other cells have none.
type Grading struct {
	ID       string  // nbgrader's grade_id, unique in a notebook
	Solution bool    // the learner writes it
	Grade    bool    // nbgrader runs it and gives Points if it ends without an error
	Locked   bool    // nbgrader restores the original before it grades
	Points   float64 // of a graded cell
}

// The version of nbgrader's metadata that SetGrading writes.
const gradingSchema = 3

var gradeID = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// Grading reads the cell's nbgrader metadata; ok is false if there is none.
func (c *Cell) Grading() (g Grading, ok bool, err error) {
	value, ok := c.Metadata["nbgrader"]
	if !ok {
		return Grading{}, false, nil
	}
	fields, isObject := value.(map[string]any)
	if !isObject {
		return Grading{}, true, fmt.Errorf("cell %s: its nbgrader metadata is not an object", c.ID)
	}
	if schema := fmt.Sprint(fields["schema_version"]); schema != fmt.Sprint(gradingSchema) {
		return Grading{}, true, fmt.Errorf("cell %s: its nbgrader metadata has schema %s, and wgslab reads only %d: convert it with nbgrader update",
			c.ID, schema, gradingSchema)
	}
	g.ID, _ = fields["grade_id"].(string)
	g.Solution, _ = fields["solution"].(bool)
	g.Grade, _ = fields["grade"].(bool)
	g.Locked, _ = fields["locked"].(bool)
	switch points := fields["points"].(type) {
	case json.Number: // as read from a file
		if g.Points, err = points.Float64(); err != nil {
			return g, true, fmt.Errorf("cell %s: its points for nbgrader: %w", c.ID, err)
		}
	case float64: // as SetGrading set it
		g.Points = points
	}
	return g, true, nil
}

// SetGrading writes the cell's nbgrader metadata as nbgrader's own toolbar would. It removes
// anything that generate_assignment has added there.
func (c *Cell) SetGrading(g Grading) error {
	if !gradeID.MatchString(g.ID) {
		return fmt.Errorf("cell %s: a grade_id may contain only letters, digits, - and _, but this one is %q", c.ID, g.ID)
	}
	fields := map[string]any{
		"grade": g.Grade, "grade_id": g.ID, "locked": g.Locked,
		"schema_version": gradingSchema, "solution": g.Solution, "task": false,
	}
	if g.Grade {
		fields["points"] = g.Points
	}
	if c.Metadata == nil {
		c.Metadata = map[string]any{}
	}
	c.Metadata["nbgrader"] = fields
	return nil
}
