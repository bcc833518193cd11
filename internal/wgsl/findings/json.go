package findings

import "encoding/json"

// A FindingSummary is what programs read of any finding: in the JSON of a run and of wgslab vet,
// and in the page's editor.
type FindingSummary struct {
	Kind     Kind   `json:"kind"`
	Severity string `json:"severity"` // "error" or "remark" in a run
	Region
	Message string `json:"message"`
}

// Summary returns what programs read of the finding.
func (f *Finding) Summary() FindingSummary {
	return FindingSummary{f.Kind, f.Severity.String(), f.Region, f.Message}
}

// printed is the JSON form of a finding in a run. `wgslab check` and `wgslab simulate` print it, so
// it is a contract.
type printed struct {
	FindingSummary
	Variable   string        `json:"variable"` // "" if there is none
	Index      *int          `json:"index"`
	Length     *int          `json:"length"`
	Workgroup  [3]uint32     `json:"workgroup"`
	Invocation [3]uint32     `json:"invocation"`
	Other      *printedPlace `json:"other"`          // the other side of a race
	Case       string        `json:"case,omitempty"` // of the exercise, in a check
}

type printedPlace struct {
	Line       int       `json:"line"`
	Column     int       `json:"column"`
	Workgroup  [3]uint32 `json:"workgroup"`
	Invocation [3]uint32 `json:"invocation"`
}

// MarshalJSON implements json.Marshaler.
func (f Finding) MarshalJSON() ([]byte, error) {
	p := printed{FindingSummary: f.Summary(), Variable: f.Variable, Workgroup: f.Workgroup, Invocation: f.Invocation, Case: f.Case}
	if f.Variable != "" {
		p.Index, p.Length = count(f.Index), count(f.Length)
	}
	if o := f.Other(); o != nil {
		p.Other = &printedPlace{o.Line, o.Column, o.Workgroup, o.Invocation}
	}
	return json.Marshal(p)
}

// UnmarshalJSON implements json.Unmarshaler.
func (f *Finding) UnmarshalJSON(text []byte) error {
	none := -1
	p := printed{}
	if err := json.Unmarshal(text, &p); err != nil {
		return err
	}
	if p.Index == nil {
		p.Index = &none
	}
	if p.Length == nil {
		p.Length = &none
	}
	*f = Finding{
		Kind: p.Kind, Variable: p.Variable, Index: *p.Index, Length: *p.Length, Message: p.Message, Case: p.Case,
		Location: Location{Region: p.Region, Workgroup: p.Workgroup, Invocation: p.Invocation},
	}
	if p.Severity != Error.String() {
		f.Severity = Remark
	}
	if o := p.Other; o != nil {
		f.Related = []Related{{Location: Location{Region: Region{Line: o.Line, Column: o.Column}, Workgroup: o.Workgroup, Invocation: o.Invocation}}}
	}
	return nil
}

// count returns the number, or nil (null in JSON) if it is negative.
func count(n int) *int {
	if n < 0 {
		return nil
	}
	return &n
}
