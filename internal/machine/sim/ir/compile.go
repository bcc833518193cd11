package ir

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/wgslab/wgslab/internal/wgsl/syntax"
	"github.com/wgslab/wgslab/internal/wgsl/types"
)

// A Program is the code of a compute shader's entry point, with its slots, bindings and places in
// the source. It is read-only and safe for concurrent use.
type Program struct {
	Pipeline *types.Pipeline
	Bindings []Binding // those that the entry point uses, by group and number

	Source      *syntax.Source
	Code        []Instr
	WatchedCode []Instr
	Notes       []SourceNote // one for each instruction
	Initial     []uint32
	Pinned      []bool // which slots hold constants
	Private     span   // the slots of private variables
	SharedWords uint32
	Arrays      []arrayInBuffer
	BigIndexes  []bigIndex
	Variables   []VariablePlace
	functions   []function
	Stops       []statement
	Barriers    bool
	Atomics     bool // buffers hold atomics
	Halves      bool // buffers hold f16
	Textures    bool // textures are bound
	Views       bool // buffers are viewed as other types
	SharedBytes bool // workgroup memory has the layout of buffers, because a buffer is in it
	Subgroups   bool // invocations meet at functions of subgroups
	Division    SubgroupDivision

	compiler *compiler // for expressions; nil without debug
}

// A Binding is a buffer, texture or sampler that a program uses.
type Binding struct {
	Group, Number uint32
	Object        *types.Object
	MinBytes      uint64 // of a buffer, counting one element of a runtime-sized array
	Writable      bool
	Uniform       bool
	Texture       *types.Texture // nil for anything else
	Sampler       *types.Sampler // nil for anything else

	Slot uint32 // holds a buffer's address; for others the binding's index in Program.Bindings
}

// ImmediateGroup stands for the group of a variable in the address space immediate, which has none:
// the host sets it in the pass (WebGPU, setImmediates). To the machine it is one more buffer.
const ImmediateGroup = 1 << 31

// Handle reports whether the binding is a texture or a sampler.
func (b *Binding) Handle() bool { return b.Texture != nil || b.Sampler != nil }

// A span is a range of slots, words or instructions.
type span struct{ From, To uint32 }

func (s span) has(at uint32) bool { return s.From <= at && at < s.To }

// A SourceNote says which source text an instruction comes from.
type SourceNote struct {
	Span  syntax.Span
	Index syntax.Span      // the index, if it accesses memory by index
	Kind  types.ScalarKind // of the operands
	Float bool             // a load of floats

	View   uint32   // the bytes that a view of a buffer takes, if it makes the address of one
	Vector vectorAt // of a store to one component in shared memory: the whole vector
	Row    span     // of a load or store of slots: those that it may touch; empty if any variable
}

// vectorAt is where a vector begins in workgroup memory or in the buffers: at base plus the content
// of a slot. Its size is in words or in bytes; 0 means no vector.
type vectorAt struct{ Slot, Base, Size uint32 }

// An arrayInBuffer is a runtime-sized array at an offset in a binding.
type arrayInBuffer struct {
	Binding        int
	Offset, Stride uint32
}

type bigIndex struct{ Limit, Stride uint32 }

// A VariablePlace is a named value and its place in memory.
type VariablePlace struct {
	Object  *types.Object
	Where   MemoryKind
	Base    uint32   // in slots or words of workgroup memory
	Slots   []uint32 // of lets and parameters
	Binding int
	In      *types.Function // nil at module scope
	scope   syntax.Span
}

// SlotsOf returns the slots in which an invocation holds a variable, let or parameter.
func (p *Program) SlotsOf(v VariablePlace) []uint32 {
	if v.Slots != nil {
		return v.Slots
	}
	return rowFrom(v.Base, p.FlatWords(v.Object.Store()))
}

// A function says which instructions belong to a function of the shader.
type function struct {
	*types.Function
	code   span
	Ret    uint32   // the slot of the return address
	result []uint32 // the slots of its result
}

// Code returns the function's first instruction, and the one after its last.
func (f *function) Code() (first, end uint32) { return f.code.From, f.code.To }

// A statement is a place where a debugger can stop.
type statement struct {
	Node     syntax.Stmt
	Function *types.Function
}

// maxSlots limits the slots of one invocation, and maxCode the program.
const (
	maxSlots = 1 << 22
	maxCode  = 1 << 22
)

// ErrTooLarge says that a shader needs more memory or code than the simulator allows.
var ErrTooLarge = errors.New("the shader is too large to simulate")

// Compile compiles a compute pipeline, which must have no errors. With debug, the program can be
// stepped through, but it is slower. The error says what the simulator does not support.
func Compile(pipeline *types.Pipeline, debug bool) (program *Program, err error) {
	c := &compiler{
		Program:  &Program{Pipeline: pipeline, Source: pipeline.Info.File.Source},
		info:     pipeline.Info,
		debug:    debug,
		places:   map[*types.Object]place{},
		values:   map[*types.Object][]uint32{},
		headers:  map[*types.Function]*header{},
		pool:     map[uint32]uint32{},
		constant: map[string][]uint32{},
	}
	defer func() {
		if r := recover(); r != nil {
			bad, ok := r.(Unsupported)
			if !ok {
				panic(r)
			}
			program, err = nil, bad
		}
	}()
	c.program(pipeline.Entry)
	if debug {
		c.Program.compiler = c
	}
	return c.Program, nil
}

// Debuggable reports whether the program was compiled with debug.
func (p *Program) Debuggable() bool { return p.compiler != nil }

// Unsupported is the value of the compiler's panic when it gives up; Compile returns it as an
// error.
type Unsupported struct {
	what string
	At   syntax.Span // empty if it has no place
	err  error
}

func (u Unsupported) Error() string { return u.what }
func (u Unsupported) Unwrap() error { return u.err }

type compiler struct {
	*Program
	info  *types.Info
	debug bool

	places   map[*types.Object]place    // of variables, and of lets that are pointers
	values   map[*types.Object][]uint32 // of lets and parameters
	headers  map[*types.Function]*header
	pool     map[uint32]uint32   // slots of constants
	constant map[string][]uint32 // slots of composite constants in a row
	outer    *compiler           // of the program, with its constants, if this one compiles an expression; else nil

	first     uint32     // the slot that initial and pinned begin with: 0 in a program
	top, high uint32     // the next free slot, and the next that was never used
	label     int        // the last jump target
	at        SourceNote // of the code being compiled
	careful   bool       // copy loaded values: they may change before their use
	function  *header
	loops     []loop
}

// A header holds the parts of a function that its callers need.
type header struct {
	*types.Function
	params [][]uint32
	result []uint32
	ret    uint32
	start  uint32
	calls  []int // the OpCalls that still need start
}

// A loop collects the jumps of a loop or switch until their targets are known.
type loop struct {
	breaks, continues []int
	isLoop            bool
	rounds            uint32 // the slot that counts them; 0 for none
	top               uint32 // the next free slot before it
}

func (c *compiler) program(entry *types.EntryPoint) {
	c.alloc(Inputs)
	c.globals(entry)
	for _, f := range entry.Functions {
		c.header(f)
	}
	for i := len(entry.Functions) - 1; i >= 0; i-- {
		c.body(entry.Functions[i])
	}
	c.connect()
	initial := make([]uint32, c.high)
	copy(initial, c.Initial)
	c.Initial = initial
	c.WatchedCode = make([]Instr, len(c.Code))
	mixing := mixing(c.Pipeline.Info, entry.Functions)
	for i, in := range c.Code {
		if w := in.Op.Info().Watched; w != 0 && !(wraps(in.Op) && mixing[c.Notes[i].Span]) {
			in.Op = w
		}
		c.WatchedCode[i] = in
	}
}

// wraps reports whether all that a watched form of an instruction reports is that it wraps around.
func wraps(o Opcode) bool {
	switch o {
	case OpAddI, OpAddU, OpSubI, OpSubU, OpMulI, OpMulU, OpNegI:
		return true
	}
	return false
}

// connect fills in the first instruction of the called function in each call.
func (c *compiler) connect() {
	for _, h := range c.headers {
		for _, at := range h.calls {
			c.Code[at].C = h.start
		}
	}
}

// The slots of the built-in inputs, all u32.
const (
	LocalID       = 0
	LocalIndex    = 3
	GlobalID      = 4
	WorkgroupID   = 7
	NumWorkgroups = 10
	GlobalIndex   = 13
	GroupIndex    = 14
	SubgroupLane  = 15
	SubgroupSize  = 16
	SubgroupID    = 17
	NumSubgroups  = 18
	Inputs        = 19
)

var inputs = map[string][]uint32{
	"local_invocation_id":     {LocalID, LocalID + 1, LocalID + 2},
	"local_invocation_index":  {LocalIndex},
	"global_invocation_id":    {GlobalID, GlobalID + 1, GlobalID + 2},
	"workgroup_id":            {WorkgroupID, WorkgroupID + 1, WorkgroupID + 2},
	"num_workgroups":          {NumWorkgroups, NumWorkgroups + 1, NumWorkgroups + 2},
	"global_invocation_index": {GlobalIndex},
	"workgroup_index":         {GroupIndex},
	"subgroup_invocation_id":  {SubgroupLane},
	"subgroup_size":           {SubgroupSize},
	"subgroup_id":             {SubgroupID},
	"num_subgroups":           {NumSubgroups},
}

// BuiltinOf returns the name of the built-in input that is in a slot; "" if it holds none.
func BuiltinOf(slot uint32) string {
	for name, slots := range inputs {
		if slices.Contains(slots, slot) {
			return name
		}
	}
	return ""
}

// globals assigns places to the module's variables.
func (c *compiler) globals(entry *types.EntryPoint) {
	isBuffer := func(o *types.Object) bool { _, is := o.Store().(*types.Buffer); return is }
	c.SharedBytes = slices.ContainsFunc(entry.Workgroup, isBuffer)
	c.Views = c.SharedBytes || slices.ContainsFunc(entry.Resources, isBuffer)
	for _, o := range entry.Resources {
		c.resource(o)
	}
	if entry.Immediate != nil {
		c.resource(entry.Immediate)
	}
	for _, o := range entry.Workgroup {
		c.places[o] = place{where: InShared, base: c.SharedWords, t: o.Store()}
		if c.SharedBytes { // views of any type are aligned to 16 bytes at most
			c.SharedWords = (c.SharedWords + 3) &^ 3
			c.places[o] = place{where: InShared, base: c.SharedWords, t: o.Store()}
		}
		c.Variables = append(c.Variables, VariablePlace{Object: o, Where: InShared, Base: c.SharedWords})
		n := uint64(c.SharedWords) + c.sharedWords(o.Store())
		if n > maxSlots {
			tooLarge()
		}
		c.SharedWords = uint32(n)
	}
	c.Private.From = c.high
	for _, o := range entry.Private {
		slots := c.row(c.FlatWords(o.Store()))
		c.places[o] = place{where: InSlots, base: slots[0], t: o.Store()}
		c.Variables = append(c.Variables, VariablePlace{Object: o, Where: InSlots, Base: slots[0]})
		if init := o.Decl.(*syntax.VarDecl).Init; init != nil {
			v := c.Pipeline.Value(init)
			if !v.Valid() {
				c.fail(init, "the initial value of %s", o.Name)
			}
			c.setInitial(slots[0], c.bits(nil, v))
		}
	}
	c.Private.To = c.high
}

func (c *compiler) resource(o *types.Object) {
	if o.Space() == types.SpaceHandle {
		c.handle(o)
		return
	}
	slot := c.alloc(1)
	b := Binding{
		Object: o, Slot: slot, MinBytes: types.SizeOf(o.Store()),
		Writable: o.Space() == types.SpaceStorage && o.Access().Writes(), Uniform: o.Space() == types.SpaceUniform,
	}
	if b.Group = ImmediateGroup; o.Space() != types.SpaceImmediate {
		b.Group, b.Number = *o.Group, *o.Binding
	}
	c.places[o] = place{where: InBuffers, dyn: slot, dynamic: true, t: o.Store(), binding: len(c.Bindings) + 1}
	c.Variables = append(c.Variables, VariablePlace{Object: o, Where: InBuffers, Binding: len(c.Bindings)})
	c.Bindings = append(c.Bindings, b)
}

func (c *compiler) setInitial(at uint32, words []uint32) {
	at -= c.first
	for uint32(len(c.Initial)) < at+uint32(len(words)) {
		c.Initial = append(c.Initial, make([]uint32, at+uint32(len(words))-uint32(len(c.Initial)))...)
	}
	copy(c.Initial[at:], words)
}

// header assigns slots to a function's parameters and result.
func (c *compiler) header(f *types.Function) {
	h := &header{Function: f, ret: c.alloc(1)}
	for _, p := range f.Params {
		var slots []uint32
		if f.Entry != nil {
			slots = c.input(f.Entry, p)
		} else {
			slots = c.row(c.FlatWords(p.Type))
		}
		h.params = append(h.params, slots)
		c.values[p] = slots
		c.Variables = append(c.Variables, VariablePlace{Object: p, Slots: slots, In: f, scope: f.Decl.Body.Span()})
	}
	if f.Result != nil {
		h.result = c.row(c.FlatWords(f.Result))
	}
	c.headers[f] = h
}

// input returns the slots of a parameter of the entry point.
func (c *compiler) input(entry *types.EntryPoint, p *types.Object) (slots []uint32) {
	for _, in := range entry.Inputs {
		if in.Param != p {
			continue
		}
		known, ok := inputs[in.Builtin]
		if !ok {
			c.fail(p.Ident, "@builtin(%s)", in.Builtin)
		}
		slots = append(slots, known...)
	}
	return slots
}

func (c *compiler) body(f *types.Function) {
	h := c.headers[f]
	h.start = uint32(len(c.Code))
	c.label = len(c.Code)
	c.function = h
	c.top = c.high
	c.block(f.Decl.Body)
	c.note(f.Decl.Body.Close)
	if f.Entry != nil {
		c.emit(OpEnd, 0, 0, 0, 0)
	} else {
		c.emit(OpReturn, 0, h.ret, 0, 0)
	}
	c.functions = append(c.functions, function{f, span{h.start, uint32(len(c.Code))}, h.ret, h.result})
}

func (c *compiler) fail(at syntax.Node, format string, args ...any) {
	bad := Unsupported{what: "the simulator does not support " + fmt.Sprintf(format, args...)}
	if at != nil {
		bad.At = at.Span()
	}
	panic(bad)
}

func tooLarge() { panic(Unsupported{what: ErrTooLarge.Error(), err: ErrTooLarge}) }

// Slots.

// alloc allocates n consecutive slots and returns the first.
func (c *compiler) alloc(n uint32) uint32 {
	first := c.top
	for i := first; i < first+n; i++ {
		if c.isPinned(i) {
			first = i + 1
		}
	}
	c.top = first + n
	c.high = max(c.high, c.top)
	if c.high > maxSlots {
		tooLarge()
	}
	return first
}

// row allocates n consecutive slots.
func (c *compiler) row(n uint32) []uint32 { return rowFrom(c.alloc(n), n) }

func rowFrom(first, n uint32) []uint32 {
	slots := make([]uint32, n)
	for i := range slots {
		slots[i] = first + uint32(i)
	}
	return slots
}

// isRow reports whether slots are consecutive.
func isRow(slots []uint32) bool {
	for i, s := range slots {
		if s != slots[0]+uint32(i) {
			return false
		}
	}
	return true
}

// inRow returns the first of consecutive slots that hold the values, and moves them if it must.
func (c *compiler) inRow(slots []uint32) uint32 {
	if len(slots) == 0 {
		return 0
	}
	if isRow(slots) {
		return slots[0]
	}
	row := c.row(uint32(len(slots)))
	c.move(row, slots)
	return row[0]
}

// pin reserves slots that hold these constants in every invocation.
func (c *compiler) pin(words []uint32) uint32 {
	first := c.high
	c.high += uint32(len(words))
	if c.high > maxSlots {
		tooLarge()
	}
	for uint32(len(c.Pinned)) < c.high-c.first {
		c.Pinned = append(c.Pinned, false)
	}
	for i := first; i < c.high; i++ {
		c.Pinned[i-c.first] = true
	}
	c.setInitial(first, words)
	return first
}

// word returns the slot of a constant.
func (c *compiler) word(bits uint32) uint32 {
	if c.outer != nil {
		if slot, ok := c.outer.pool[bits]; ok {
			return slot
		}
	}
	slot, ok := c.pool[bits]
	if !ok {
		slot = c.pin([]uint32{bits})
		c.pool[bits] = slot
	}
	return slot
}

// isPinned reports whether a slot, from first on, holds a constant.
func (c *compiler) isPinned(slot uint32) bool {
	return slot-c.first < uint32(len(c.Pinned)) && c.Pinned[slot-c.first]
}

func (c *compiler) float(f float64) uint32 { return c.word(math.Float32bits(float32(f))) }

// constants returns the slots of a constant's scalars.
func (c *compiler) constants(v types.Value) []uint32 {
	words := c.bits(nil, v)
	const few = 16
	if len(words) > few {
		key := string(bytesOf(words))
		if c.outer != nil && c.outer.constant[key] != nil {
			return c.outer.constant[key]
		}
		if _, ok := c.constant[key]; !ok {
			c.constant[key] = rowFrom(c.pin(words), uint32(len(words)))
		}
		return c.constant[key]
	}
	for i, w := range words {
		words[i] = c.word(w)
	}
	return words
}

func bytesOf(words []uint32) []byte {
	bytes := make([]byte, 0, 4*len(words))
	for _, w := range words {
		bytes = append(bytes, byte(w), byte(w>>8), byte(w>>16), byte(w>>24))
	}
	return bytes
}

// bits appends a value's words, as slots hold them.
func (c *compiler) bits(words []uint32, v types.Value) []uint32 {
	if s, ok := v.Type.(*types.Scalar); ok {
		if s.Float() {
			return append(words, math.Float32bits(float32(v.Float())))
		}
		return append(words, uint32(v.Int()))
	}
	if len(words)+v.Len() > maxSlots {
		tooLarge()
	}
	for i := range v.Len() {
		words = c.bits(words, v.At(i))
	}
	return words
}

// Code.

func (c *compiler) note(s syntax.Span) { c.at = SourceNote{Span: s} }

func (c *compiler) emit(o Opcode, n int, a, b, third uint32) int {
	if len(c.Code) >= maxCode {
		tooLarge()
	}
	c.Code = append(c.Code, Instr{o, uint16(n), a, b, third})
	c.Notes = append(c.Notes, c.at)
	return len(c.Code) - 1
}

// here marks the next instruction as a jump target.
func (c *compiler) here() uint32 {
	c.label = len(c.Code)
	return uint32(len(c.Code))
}

// land points pending jumps at the next instruction.
func (c *compiler) land(jumps []int) {
	if len(jumps) == 0 {
		return
	}
	target := c.here()
	for _, at := range jumps {
		c.Code[at].C = target
	}
}

// move copies values to other slots, as if all at once.
func (c *compiler) move(to, from []uint32) {
	if len(to) == 0 || to[0] == from[0] && isRow(to) && isRow(from) {
		return
	}
	if isRow(to) && isRow(from) && len(to) > 2 {
		c.emit(OpMoveRow, 0, to[0], from[0], uint32(len(to)))
		return
	}
	if overlap(to, from) {
		away := c.row(uint32(len(from)))
		for i := range from {
			c.emit(OpMove, 0, away[i], from[i], 0)
		}
		from = away
	}
	for i := range to {
		if to[i] != from[i] {
			c.emit(OpMove, 0, to[i], from[i], 0)
		}
	}
}

// overlap reports whether moving the values one after the other would lose one.
func overlap(to, from []uint32) bool {
	for i, t := range to {
		for _, f := range from[i+1:] {
			if t == f {
				return true
			}
		}
	}
	return false
}

// assign puts a value that was just computed into other slots. If possible, the last instructions
// write there directly; else it moves the value. Slots from temporary on hold nothing else.
func (c *compiler) assign(to, from []uint32, temporary uint32) {
	if !c.retarget(to, from, temporary) {
		c.move(to, from)
	}
}

func (c *compiler) retarget(to, from []uint32, temporary uint32) bool {
	if len(to) == 0 {
		return true
	}
	for _, f := range from {
		if f < temporary || c.isPinned(f) {
			return false
		}
	}
	last := len(c.Code) - 1
	if last < 0 || c.label > last {
		return false
	}
	if in := &c.Code[last]; in.Op.Info().OnlySets() && in.A == from[0] && isRow(from) && isRow(to) && int(in.width()) == len(from) {
		in.A = to[0]
		return true
	}
	first := len(c.Code) - len(to)
	if first < c.label {
		return false
	}
	for i := range to {
		in := &c.Code[first+i]
		takes := &in.Op.Info().Operands
		if !in.Op.Info().OnlySets() || in.A != from[i] || in.width() != 1 || takes.B == OperandReadThree {
			return false
		}
		for _, t := range to[:i] {
			if in.B == t || in.C == t && takes.C == OperandRead {
				return false
			}
		}
	}
	for i := range to {
		c.Code[first+i].A = to[i]
	}
	return true
}

// width returns the number of slots that an OnlySets instruction writes.
func (in *Instr) width() uint16 {
	if in.Op.Info().Operands.A == OperandWriteRow {
		return in.N
	}
	return 1
}
