package protocol

// A BenchRun is how to run a shader without an exercise, in the notation of package anyshader.
type BenchRun struct {
	Binds     []string `json:"binds"`     // the buffers: GROUP.BINDING=…
	Passes    []string `json:"passes"`    // ENTRY=X,Y,Z, at least one
	Overrides []string `json:"overrides"` // NAME=VALUE
}

// A FieldProblem says what is wrong with one input of a bench, and so why nothing ran.
type FieldProblem struct {
	List string `json:"list"` // binds, passes or overrides
	At   int    `json:"at"`   // its index there
	Says string `json:"says"`
}

// An Outline lists what a host has to know of a shader, with a proposal for each input.
type Outline struct {
	Read      bool              `json:"read"` // the shader has no error; else the lists are empty
	Bindings  []OutlineBinding  `json:"bindings"`
	Entries   []OutlineEntry    `json:"entries"`
	Overrides []OutlineOverride `json:"overrides"`
}

// An OutlineBinding is a buffer or another resource that the shader declares.
type OutlineBinding struct {
	Place   string `json:"place"` // GROUP.BINDING
	Name    string `json:"name"`
	Type    string `json:"type"`
	Access  string `json:"access"`  // as WGSL writes it: storage, read
	Propose string `json:"propose"` // what to bind; "" if no notation is known
}

// An OutlineEntry is a compute entry point.
type OutlineEntry struct {
	Name    string `json:"name"`
	Size    string `json:"size"`    // of a workgroup: 64, or 8 × 8; "" if overrides decide it
	Propose string `json:"propose"` // how many workgroups
}

// An OutlineOverride is a constant that the host may set.
type OutlineOverride struct {
	Key     string `json:"key"` // its name, or the number in @id
	Name    string `json:"name"`
	Type    string `json:"type"`
	Default string `json:"default"` // as the shader writes it; "" if the host must set it
}

// A SharedCase is a case of an exercise as a bench runs it.
type SharedCase struct {
	BenchRun
	From  string `json:"from"`  // the case: vector-add, n = 65, seed 7
	Notes string `json:"notes"` // what is not as in the case; "" if all is
}
