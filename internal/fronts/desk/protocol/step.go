package protocol

// A StepRequest is a request of the step view. Each request carries all breakpoints and open
// variables, so the answer is the complete state of the view.
type StepRequest struct {
	Do          string       `json:"do"`          // a command, or another case in the switch of answer
	Seed        uint64       `json:"seed"`        // of begin: the seed of the check whose cases to use
	Case        string       `json:"case"`        // of begin: a case's name; "" chooses the first that fails
	Write       string       `json:"write"`       // of begin: stop when this element, such as out[63], is written
	Moment      int          `json:"moment"`      // of begin: go to the moment with this number, and look at Invocation
	Invocation  int          `json:"invocation"`  // of look: its local_invocation_index
	By          int          `json:"by"`          // of workgroup: how many further to go
	Line        string       `json:"line"`        // of say: a line of the console
	Frame       int          `json:"frame"`       // the frame whose variables are shown, 0 for the innermost
	Breakpoints []Breakpoint `json:"breakpoints"` // all of them, except those of the shader's comments
	Open        []string     `json:"open"`        // the paths of the variables whose parts are visible
}

// A StepState is the complete state that the step view shows of a run.
type StepState struct {
	Problem string `json:"problem,omitempty"` // why there is no run; the other fields are empty then
	Running bool   `json:"running,omitempty"` // the run has not stopped yet: ask it to continue; the other fields are empty

	Case       string    `json:"case"` // n = 65; of a bench, the pass
	Cases      []string  `json:"cases"`
	Says       string    `json:"says"`  // where and why the run stopped
	Wrong      bool      `json:"wrong"` // it stopped at a bug
	Ended      bool      `json:"ended"` // all invocations have returned
	Findings   []string  `json:"findings"`
	At         Statement `json:"at"` // of the frame that is shown
	Frames     []Frame   `json:"frames"`
	Frame      int       `json:"frame"`
	Moment     int       `json:"moment"` // its number, the same in each run of the case
	Invocation int       `json:"invocation"`
	Workgroup  string    `json:"workgroup"` // 0,1 if there are several along two axes
	Workgroups string    `json:"workgroups"`
	First      bool      `json:"first"` // this is the first workgroup
	Last       bool      `json:"last"`

	Picture     Picture      `json:"picture"`
	Scopes      []Scope      `json:"scopes"`
	Breakpoints []Breakpoint `json:"breakpoints"`
	Own         []int        `json:"own"` // lines at which the shader's own comments stop the run
	Answer      *Said        `json:"answer,omitempty"`
}

// A Statement is a statement in the source: its first line, from 1, and its offsets.
type Statement struct {
	Line int `json:"line"`
	From int `json:"from"`
	To   int `json:"to"`
}

// A Frame is a function call that has not returned yet.
type Frame struct {
	Name string `json:"name"`
	Line int    `json:"line"`
}

// A Breakpoint stops the run at a line.
type Breakpoint struct {
	Line      int    `json:"line"`
	Condition string `json:"condition"`
	Problem   string `json:"problem"` // why the run does not stop there
}

// Said is the console's answer.
type Said struct {
	Text   string `json:"text"`
	Failed bool   `json:"failed"`
}

// A Scope is a group of variables.
type Scope struct {
	Name      string     `json:"name"`
	Variables []Variable `json:"variables"`
}

// A Variable is something with a name and a value, or a range of an array's elements.
type Variable struct {
	Path    string     `json:"path"` // names it in StepRequest.Open
	Name    string     `json:"name"`
	Type    string     `json:"type"`
	Value   string     `json:"value"`
	Changed bool       `json:"changed"` // since the previous stop
	More    bool       `json:"more"`    // it has parts
	Parts   []Variable `json:"parts,omitempty"`
}

// A Picture shows the workgroup: where each invocation is, and which one wrote memory last.
type Picture struct {
	Width  int      `json:"width"` // in invocations
	Cells  []int    `json:"cells"` // the group of each invocation
	Groups []Group  `json:"groups"`
	Memory []Memory `json:"memory"`
}

// A Group is a set of invocations at the same place.
type Group struct {
	Letter string `json:"letter"`
	Colour string `json:"colour"`
	Line   int    `json:"line"`
	State  string `json:"state"` // at, waits or ended
	Does   string `json:"does"`  // line 14, waiting at the barrier
	Words  string `json:"words"` // invocations 0 to 16 at line 14, waiting at the barrier
}

// A Memory is a variable in workgroup memory, or a buffer, element by element.
type Memory struct {
	Name    string   `json:"name"`
	Colours []string `json:"colours"` // of the last writer; "" if there is none, "-" for an earlier workgroup
	Mine    []int    `json:"mine"`    // the elements that the current invocation wrote
	Words   string   `json:"words"`
}
