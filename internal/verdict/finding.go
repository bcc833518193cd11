package verdict

import "encoding/json"

// A Finding is something that was seen while a shader ran. Its JSON is a contract:
// `wgslab check` and `wgslab simulate` print the same.
type Finding struct {
	Kind       string        `json:"kind"`     // a slug, "race-workgroup"
	Severity   string        `json:"severity"` // "error" or "remark"
	Line       int           `json:"line"`
	Column     int           `json:"column"`
	EndLine    int           `json:"end_line"`
	EndColumn  int           `json:"end_column"`
	Variable   string        `json:"variable"` // "" where there is none
	Index      Count         `json:"index"`
	Length     Count         `json:"length"`
	Workgroup  [3]uint32     `json:"workgroup"`
	Invocation [3]uint32     `json:"invocation"`
	Other      *FindingPlace `json:"other"` // the other side of a race
	Message    string        `json:"message"`
}

// A FindingPlace is where the other side of a finding stands.
type FindingPlace struct {
	Line       int       `json:"line"`
	Column     int       `json:"column"`
	Workgroup  [3]uint32 `json:"workgroup"`
	Invocation [3]uint32 `json:"invocation"`
}

// A Count is a number from 0 on; a negative one is none, null in JSON.
type Count int

// MarshalJSON implements json.Marshaler.
func (c Count) MarshalJSON() ([]byte, error) {
	if c < 0 {
		return []byte("null"), nil
	}
	return json.Marshal(int(c))
}

// UnmarshalJSON implements json.Unmarshaler.
func (c *Count) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*c = -1
		return nil
	}
	return json.Unmarshal(text, (*int)(c))
}

// IsError says whether the finding makes the shader wrong.
func (f Finding) IsError() bool { return f.Severity == "error" }

// mostAlso is how many findings are told beside the one that the verdict is about.
const mostAlso = 3

// Also are the sentences of what else was seen, the most telling first.
func (v *Verdict) Also() []string {
	var sentences []string
	for _, f := range v.Findings {
		if s := Sentence(f.Message); s != v.Message && len(sentences) < mostAlso && v.worthTelling(f) {
			sentences = append(sentences, s)
		}
	}
	return sentences
}

// worthTelling: a second error of the same kind tells nothing new, and a remark
// helps only where a value is wrong, or says where a wild index is from.
func (v *Verdict) worthTelling(f Finding) bool {
	if f.IsError() {
		return f.Kind != v.Findings[0].Kind || Sentence(v.Findings[0].Message) != v.Message
	}
	return v.Mismatch != nil || f.Kind == "wrapped" && v.Findings[0].isWild(f)
}

// isWild says whether an index is one that no buffer has, which the invocation of
// another finding has used.
func (f Finding) isWild(other Finding) bool {
	return f.Index >= 1<<31 && f.Workgroup == other.Workgroup && f.Invocation == other.Invocation
}
