package gradebook

import (
	"encoding/json"
	"io"
)

// JSON writes the table as JSON: the contract of `wgslab grade --format
// json`. No array in it is null.
func JSON(w io.Writer, t *ClassTable) error {
	whole := *t
	whole.Submissions = make([]Student, len(t.Submissions))
	for i, s := range t.Submissions {
		s.Exercises = append([]ExerciseResult{}, s.Exercises...)
		s.Problems = append([]string{}, s.Problems...)
		whole.Submissions[i] = s
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(whole)
}

// ReadJSON reads the output of JSON. The fields for people only are not in it.
func ReadJSON(r io.Reader) (*ClassTable, error) {
	table := new(ClassTable)
	decoder := json.NewDecoder(r)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(table); err != nil {
		return nil, err
	}
	return table, nil
}
