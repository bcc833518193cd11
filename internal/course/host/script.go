package host

// A ScriptFunction is the learner's function of a task in JavaScript.
type ScriptFunction struct {
	Name      string
	Arguments func(Case) []any // those after the device: strings, ints, float32s, []float32, []byte, [2]int and HostShaders
}

// Script returns the task's function in JavaScript.
func (t *HostTask) Script() ScriptFunction { return scripts[t.ID] }

// Timed reports whether the function returns ticks as well, so that its device needs timestamps.
func (t *HostTask) Timed() bool { return t.timed }

var scripts = map[string]ScriptFunction{
	"host-calls": {"runHello", func(c Case) []any { return []any{c.Shaders[0].WGSL, c.Shaders[0].Size[0], c.Counts[0]} }},
	"host-add": {"addVectors", func(c Case) []any {
		return []any{c.Shaders[0].WGSL, c.Shaders[0].Size[0], c.Floats[0], c.Floats[1]}
	}},
	"host-saxpy": {"saxpy", func(c Case) []any {
		return []any{c.Shaders[0].WGSL, c.Shaders[0].Size[0], c.Alpha, c.Counts[0], c.Floats[0], c.Floats[1]}
	}},
	"host-grid": {"iota2D", func(c Case) []any { return []any{c.Shaders[0].WGSL, c.Shaders[0].Size, c.Counts[0], c.Counts[1]} }},
	"host-rows": {"rowMax", func(c Case) []any { return []any{c.Shaders[0].WGSL, c.Counts[0], c.Counts[1], c.Floats[0]} }},
	"host-forward": {"network", func(c Case) []any {
		s, f := c.Shaders, c.Floats
		return []any{s[0], s[1], s[2], c.Counts[0], f[0], f[1], f[2], f[3], f[4]}
	}},
	"host-weights": {"layer", func(c Case) []any {
		n := c.Counts
		return []any{c.Shaders[0], n[0], n[1], n[2], c.Floats[0], c.Bytes, n[3], n[4]}
	}},
	"host-train": {"trainLayer", func(c Case) []any {
		s, f := c.Shaders, c.Floats
		return []any{s[0], s[1], s[2], s[3], s[4], s[5], c.Counts[0], c.Counts[1], f[0], c.Labels, f[1], f[2], c.Alpha}
	}},
	"host-time": {"timeSums", func(c Case) []any { return []any{c.Shaders[0].WGSL, c.Counts[0], c.Floats[0]} }},
}
