package host

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/machine/shader"
)

// orderVariable is the environment variable with which `wgslab check` tells the program that it has
// built where the verdict goes.
const orderVariable = "WGSLAB_HOST_CHECK"

// A HostOrder asks a program for the verdict on its function, in place of a display.
type HostOrder struct {
	Report string `json:"report"` // the file for the HostReport
	Seed   uint64 `json:"seed"`

	Reply func(*JudgedHandIn, error) `json:"-"` // in place of the file
}

// given is the order that this process has from itself.
var given *HostOrder

// Order gives this process an order.
func Order(o HostOrder) { given = &o }

// A HostReport is the answer to a HostOrder: a verdict, or what kept the check from running.
type HostReport struct {
	Verdict   *verdict.Verdict `json:"verdict,omitempty"`
	Brief     string           `json:"brief"` // the verdict as text; its JSON has less
	All       string           `json:"all"`
	Below     string           `json:"below"`            // what belongs below it, such as the calls
	Misfit    bool             `json:"misfit,omitempty"` // the problem is a *MisfitError
	Problem   string           `json:"problem,omitempty"`
	NoAdapter bool             `json:"no_adapter,omitempty"`
}

// A MisfitError says that a function has other parameters or results than its exercise's.
type MisfitError struct{ Message string }

func (e *MisfitError) Error() string { return e.Message }

// ReportOn returns the report on a program, or an empty one for nil.
func ReportOn(j *JudgedHandIn) HostReport {
	if j == nil {
		return HostReport{}
	}
	r := HostReport{Verdict: j.Verdict, Brief: j.Verdict.Brief(), All: j.Verdict.Text()}
	for _, v := range j.below {
		r.Below += "\n" + view.Text(v) + "\n"
	}
	return r
}

// Environ returns the environment variable of the order.
func (o HostOrder) Environ() string {
	encoded, _ := json.Marshal(o) // a string and a number
	return orderVariable + "=" + string(encoded)
}

// Ordered returns the order that this process has; ok is false in a notebook.
func Ordered() (o HostOrder, ok bool) {
	if given != nil {
		return *given, true
	}
	ok = json.Unmarshal([]byte(os.Getenv(orderVariable)), &o) == nil && o.Report != ""
	return o, ok
}

// Answer gives the report: what was judged, or an error.
func (o HostOrder) Answer(j *JudgedHandIn, problem error) error {
	if o.Reply != nil {
		o.Reply(j, problem)
		return nil
	}
	r := ReportOn(j)
	if problem != nil {
		r.Misfit = errors.As(problem, new(*MisfitError))
		r.Problem, r.NoAdapter = problem.Error(), errors.Is(problem, shader.ErrNoAdapter)
	}
	encoded, err := json.Marshal(r)
	if err == nil {
		err = os.WriteFile(o.Report, encoded, 0o600)
	}
	if err != nil {
		return fmt.Errorf("reporting the verdict: %w", err)
	}
	return nil
}

// ReadReport reads the report of a program that has ended.
func ReadReport(path string) (r HostReport, err error) {
	encoded, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(encoded, &r)
	}
	return r, err
}
