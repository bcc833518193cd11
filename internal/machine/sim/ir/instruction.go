package ir

import "github.com/wgslab/wgslab/internal/wgsl/types"

// An Instr is one instruction as the machine executes it. The table says what its operands are.
type Instr struct {
	Op      Opcode
	N       uint16
	A, B, C uint32
}

// An Opcode names an operation; the table says what it does.
type Opcode uint16

const (
	OpEnd Opcode = iota
	OpMove
	OpMoveRow
	OpZero
	OpMoveIf
	OpJump
	OpLoop
	OpCall
	OpReturn
	OpStatement
	OpJumpFalse
	OpJumpTrue
	OpJumpEq
	OpJumpNe
	OpJumpLtI
	OpJumpLeI
	OpJumpLtU
	OpJumpLeU
	OpJumpEqF
	OpJumpNeF
	OpJumpLtF
	OpJumpLeF
	OpJumpNotLtF
	OpJumpNotLeF
	OpAddI
	OpAddU
	OpSubI
	OpSubU
	OpMulI
	OpMulU
	OpDivI
	OpDivU
	OpRemI
	OpRemU
	OpNegI
	OpAnd
	OpOr
	OpXor
	OpNot
	OpShl
	OpShrI
	OpShrU
	OpEq
	OpNe
	OpLtI
	OpLeI
	OpLtU
	OpLeU
	OpEqF
	OpNeF
	OpLtF
	OpLeF
	OpNotBool
	OpAddF
	OpSubF
	OpMulF
	OpDivF
	OpRemF
	OpNegF
	OpMinI
	OpMinU
	OpMinF
	OpMaxI
	OpMaxU
	OpMaxF
	OpAbsF
	OpRoundH
	OpApply1
	OpApply2
	OpApply3
	OpIndex
	OpIndexUpTo
	OpIndexBig
	OpIndexElement
	OpAddAddress
	OpAddOffset
	OpLength
	OpLengthAt
	OpLoadSlots
	OpStoreSlots
	OpLoadWorkgroup
	OpStoreWorkgroup
	OpLoadBuffer
	OpStoreBuffer
	OpLoadHalf
	OpStoreHalf
	OpLoadElement
	OpStoreElement
	OpAtomic
	OpBarrier
	OpSubgroup
	OpTexel
	OpTextureSize
	OpStored
	OpSample

	// The watched forms do the same and report errors.
	OpAddIWatched
	OpAddUWatched
	OpSubIWatched
	OpSubUWatched
	OpMulIWatched
	OpMulUWatched
	OpDivIWatched
	OpDivUWatched
	OpRemIWatched
	OpRemUWatched
	OpNegIWatched
	OpAddFWatched
	OpSubFWatched
	OpMulFWatched
	OpDivFWatched
	OpRemFWatched
	OpRoundHWatched
	OpApply1Watched
	OpApply2Watched
	OpApply3Watched
	OpLoadSlotsWatched
	OpStoreSlotsWatched
	OpLoadWorkgroupWatched
	OpStoreWorkgroupWatched
	OpLoadBufferWatched
	OpStoreBufferWatched
	OpLoadHalfWatched
	OpStoreHalfWatched
	OpLoadElementWatched
	OpStoreElementWatched

	opCount
)

// An Instruction describes one operation. The compiler, the tracer, the recorder behind Explain and
// the disassembler read everything they know about it here; exec carries it out.
type Instruction struct {
	name     string
	effect   string // its meaning; the letters n, a, b and c stand for the operands
	Operands operands
	Of       types.ScalarKind // the kind of its operands, if it is always the same

	Watched Opcode // the form that also reports errors; 0 if there is none
	Jump    Opcode // of a comparison: the jump that is taken if it is true
	orElse  Opcode // of a jump: the jump that is taken if this one is not,
	swapped bool   // with a and b swapped

	Access AccessKind // the kind of memory access,
	Memory MemoryKind // and the memory; of an atomic function, operand n says which
}

// operands give the meaning of an instruction's operands.
type operands struct{ N, A, B, C operand }

// An operand is the meaning of one operand of an instruction. Most operands name slots.
type operand uint8

const (
	OperandUnused       operand = iota
	OperandRead                 // the slot is read
	OperandReadRow              // the n slots from it on are read
	OperandReadMany             // the c slots
	OperandReadThree            // the three slots
	OperandReadSample           // the SampleSlots slots
	OperandWrite                // the slot is written
	OperandWriteBool            // the slot is written, with a bool
	OperandWriteAddress         // the slot is written, with an address or a length
	OperandWriteIf              // the slot may be written
	OperandWriteRow             // the n slots from it on are written
	OperandWriteMany            // the c slots
	OperandWriteResult          // as many slots as the atomic function has results

	OperandNumber      // the operand is a number itself
	OperandTarget      // an instruction
	OperandArrayAt     // a runtime-sized array, by its index in Program.Arrays
	OperandBigIndexAt  // a stride and a limit, by their index in Program.BigIndexes
	OperandFunctionAt  // a function, by its index in Functions1, Functions2 or Functions3
	OperandAtomicKind  // AtomicLoad or one of the constants after it
	OperandBarrierKind // WorkgroupMemory or one of the constants after it
	OperandSubgroupKind
	OperandFormatAt   // a format of texels, by its index in Formats
	OperandSampleKind // SampleLevel or one of the constants after it
)

var (
	unaryForm      = operands{A: OperandWrite, B: OperandRead}
	binaryForm     = operands{A: OperandWrite, B: OperandRead, C: OperandRead}
	comparisonForm = operands{A: OperandWriteBool, B: OperandRead, C: OperandRead}
	jumpForm       = operands{A: OperandRead, B: OperandRead, C: OperandTarget}
	loadForm       = operands{N: OperandNumber, A: OperandWriteRow, B: OperandRead, C: OperandNumber}
	storeForm      = operands{N: OperandNumber, A: OperandReadRow, B: OperandRead, C: OperandNumber}
)

const AnyKind, SignedKind, UnsignedKind, FloatKind = types.BoolKind, types.I32Kind, types.U32Kind, types.F32Kind

// instructions is the table of all instructions.
var instructions = [opCount]Instruction{
	OpEnd:       other("end", "end of the invocation", operands{}),
	OpMove:      other("move", "a = b", unaryForm),
	OpMoveRow:   other("move.row", "a = b", operands{A: OperandWriteMany, B: OperandReadMany, C: OperandNumber}),
	OpZero:      other("zero", "a = 0", operands{A: OperandWriteMany, C: OperandNumber}),
	OpMoveIf:    other("move.if", "a = c, if b", operands{A: OperandWriteIf, B: OperandRead, C: OperandRead}),
	OpJump:      other("jump", "goto c", operands{C: OperandTarget}),
	OpLoop:      other("loop", "goto c", operands{C: OperandTarget}),
	OpCall:      other("call", "a = next, goto c", operands{A: OperandWrite, C: OperandTarget}),
	OpReturn:    other("return", "goto a", operands{A: OperandRead}),
	OpStatement: other("statement", "stop before statement c", operands{C: OperandNumber}),

	OpJumpFalse:  other("jump.false", "if !b goto c", operands{B: OperandRead, C: OperandTarget}),
	OpJumpTrue:   other("jump.true", "if b goto c", operands{B: OperandRead, C: OperandTarget}),
	OpJumpEq:     jumping("jump.eq", "if a == b goto c", AnyKind, OpJumpNe),
	OpJumpNe:     jumping("jump.ne", "if a != b goto c", AnyKind, OpJumpEq),
	OpJumpLtI:    jumping("jump.lt.i32", "if a < b goto c", SignedKind, OpJumpLeI),
	OpJumpLeI:    jumping("jump.le.i32", "if a <= b goto c", SignedKind, OpJumpLtI),
	OpJumpLtU:    jumping("jump.lt.u32", "if a < b goto c", UnsignedKind, OpJumpLeU),
	OpJumpLeU:    jumping("jump.le.u32", "if a <= b goto c", UnsignedKind, OpJumpLtU),
	OpJumpEqF:    jumping("jump.eq.f32", "if a == b goto c", FloatKind, OpJumpNeF),
	OpJumpNeF:    jumping("jump.ne.f32", "if a != b goto c", FloatKind, OpJumpEqF),
	OpJumpLtF:    jumping("jump.lt.f32", "if a < b goto c", FloatKind, OpJumpNotLtF),
	OpJumpLeF:    jumping("jump.le.f32", "if a <= b goto c", FloatKind, OpJumpNotLeF),
	OpJumpNotLtF: jumping("jump.not.lt.f32", "if !(a < b) goto c", FloatKind, OpJumpLtF),
	OpJumpNotLeF: jumping("jump.not.le.f32", "if !(a <= b) goto c", FloatKind, OpJumpLeF),

	OpAddI:    computing("add.i32", "a = b + c", binaryForm, SignedKind, OpAddIWatched),
	OpAddU:    computing("add.u32", "a = b + c", binaryForm, UnsignedKind, OpAddUWatched),
	OpSubI:    computing("sub.i32", "a = b - c", binaryForm, SignedKind, OpSubIWatched),
	OpSubU:    computing("sub.u32", "a = b - c", binaryForm, UnsignedKind, OpSubUWatched),
	OpMulI:    computing("mul.i32", "a = b * c", binaryForm, SignedKind, OpMulIWatched),
	OpMulU:    computing("mul.u32", "a = b * c", binaryForm, UnsignedKind, OpMulUWatched),
	OpDivI:    computing("div.i32", "a = b / c", binaryForm, SignedKind, OpDivIWatched),
	OpDivU:    computing("div.u32", "a = b / c", binaryForm, UnsignedKind, OpDivUWatched),
	OpRemI:    computing("rem.i32", "a = b % c", binaryForm, SignedKind, OpRemIWatched),
	OpRemU:    computing("rem.u32", "a = b % c", binaryForm, UnsignedKind, OpRemUWatched),
	OpNegI:    computing("neg.i32", "a = -b", unaryForm, SignedKind, OpNegIWatched),
	OpAnd:     computing("and", "a = b & c", binaryForm, AnyKind, 0),
	OpOr:      computing("or", "a = b | c", binaryForm, AnyKind, 0),
	OpXor:     computing("xor", "a = b ^ c", binaryForm, AnyKind, 0),
	OpNot:     computing("not", "a = ~b", unaryForm, AnyKind, 0),
	OpShl:     computing("shl", "a = b << c", binaryForm, AnyKind, 0),
	OpShrI:    computing("shr.i32", "a = b >> c", binaryForm, SignedKind, 0),
	OpShrU:    computing("shr.u32", "a = b >> c", binaryForm, UnsignedKind, 0),
	OpEq:      comparing("eq", "a = b == c", AnyKind, OpJumpEq),
	OpNe:      comparing("ne", "a = b != c", AnyKind, OpJumpNe),
	OpLtI:     comparing("lt.i32", "a = b < c", SignedKind, OpJumpLtI),
	OpLeI:     comparing("le.i32", "a = b <= c", SignedKind, OpJumpLeI),
	OpLtU:     comparing("lt.u32", "a = b < c", UnsignedKind, OpJumpLtU),
	OpLeU:     comparing("le.u32", "a = b <= c", UnsignedKind, OpJumpLeU),
	OpEqF:     comparing("eq.f32", "a = b == c", FloatKind, OpJumpEqF),
	OpNeF:     comparing("ne.f32", "a = b != c", FloatKind, OpJumpNeF),
	OpLtF:     comparing("lt.f32", "a = b < c", FloatKind, OpJumpLtF),
	OpLeF:     comparing("le.f32", "a = b <= c", FloatKind, OpJumpLeF),
	OpNotBool: computing("not.bool", "a = !b", operands{A: OperandWriteBool, B: OperandRead}, AnyKind, 0),
	OpAddF:    computing("add.f32", "a = b + c", binaryForm, FloatKind, OpAddFWatched),
	OpSubF:    computing("sub.f32", "a = b - c", binaryForm, FloatKind, OpSubFWatched),
	OpMulF:    computing("mul.f32", "a = b * c", binaryForm, FloatKind, OpMulFWatched),
	OpDivF:    computing("div.f32", "a = b / c", binaryForm, FloatKind, OpDivFWatched),
	OpRemF:    computing("rem.f32", "a = b % c", binaryForm, FloatKind, OpRemFWatched),
	OpNegF:    computing("neg.f32", "a = -b", unaryForm, FloatKind, 0),
	OpMinI:    computing("min.i32", "a = min(b, c)", binaryForm, SignedKind, 0),
	OpMinU:    computing("min.u32", "a = min(b, c)", binaryForm, UnsignedKind, 0),
	OpMinF:    computing("min.f32", "a = min(b, c)", binaryForm, FloatKind, 0),
	OpMaxI:    computing("max.i32", "a = max(b, c)", binaryForm, SignedKind, 0),
	OpMaxU:    computing("max.u32", "a = max(b, c)", binaryForm, UnsignedKind, 0),
	OpMaxF:    computing("max.f32", "a = max(b, c)", binaryForm, FloatKind, 0),
	OpAbsF:    computing("abs.f32", "a = abs(b)", unaryForm, FloatKind, 0),
	OpRoundH:  computing("round.f16", "a = f32(f16(b))", unaryForm, FloatKind, OpRoundHWatched),
	OpApply1:  computing("apply.1", "a = n(b)", operands{N: OperandFunctionAt, A: OperandWrite, B: OperandRead}, AnyKind, OpApply1Watched),
	OpApply2:  computing("apply.2", "a = n(b, c)", operands{N: OperandFunctionAt, A: OperandWrite, B: OperandRead, C: OperandRead}, AnyKind, OpApply2Watched),
	OpApply3:  computing("apply.3", "a = n(b)", operands{N: OperandFunctionAt, A: OperandWrite, B: OperandReadThree}, AnyKind, OpApply3Watched),

	OpIndex:        other("index", "a = b * n, if b < c", operands{N: OperandNumber, A: OperandWriteAddress, B: OperandRead, C: OperandNumber}),
	OpIndexUpTo:    other("index.upto", "a = b * n, if b < c", operands{N: OperandNumber, A: OperandWriteAddress, B: OperandRead, C: OperandRead}),
	OpIndexBig:     other("index.big", "a = b * c", operands{A: OperandWriteAddress, B: OperandRead, C: OperandBigIndexAt}),
	OpIndexElement: other("index.element", "a = address of c[b]", operands{A: OperandWriteAddress, B: OperandRead, C: OperandArrayAt}),
	OpAddAddress:   other("address.add", "a = b + c", operands{A: OperandWriteAddress, B: OperandRead, C: OperandRead}),
	OpAddOffset:    other("address.offset", "a = b + c", operands{A: OperandWriteAddress, B: OperandRead, C: OperandNumber}),
	OpLength:       other("length", "a = length of c", operands{A: OperandWriteAddress, C: OperandArrayAt}),
	OpLengthAt:     other("length.at", "a = elements of c bytes from address b", operands{A: OperandWriteAddress, B: OperandRead, C: OperandNumber}),

	OpLoadSlots:      touching("load.slots", "a = slots[b + c]", loadForm, Read, InSlots, OpLoadSlotsWatched),
	OpStoreSlots:     touching("store.slots", "slots[b + c] = a", storeForm, Write, InSlots, OpStoreSlotsWatched),
	OpLoadWorkgroup:  touching("load.workgroup", "a = workgroup[b + c]", loadForm, Read, InShared, OpLoadWorkgroupWatched),
	OpStoreWorkgroup: touching("store.workgroup", "workgroup[b + c] = a", storeForm, Write, InShared, OpStoreWorkgroupWatched),
	OpLoadBuffer:     touching("load.buffer", "a = buffers[b + c]", loadForm, Read, InBuffers, OpLoadBufferWatched),
	OpStoreBuffer:    touching("store.buffer", "buffers[b + c] = a", storeForm, Write, InBuffers, OpStoreBufferWatched),
	OpLoadHalf:       touching("load.f16", "a = f16 at buffers[b + c]", operands{A: OperandWrite, B: OperandRead, C: OperandNumber}, Read, InBuffers, OpLoadHalfWatched),
	OpStoreHalf:      touching("store.f16", "f16 at buffers[b + c] = a", operands{A: OperandRead, B: OperandRead, C: OperandNumber}, Write, InBuffers, OpStoreHalfWatched),
	OpLoadElement:    touching("load.element", "a = c[b]", operands{A: OperandWrite, B: OperandRead, C: OperandArrayAt}, Read, InBuffers, OpLoadElementWatched),
	OpStoreElement:   touching("store.element", "c[b] = a", operands{A: OperandRead, B: OperandRead, C: OperandArrayAt}, Write, InBuffers, OpStoreElementWatched),

	OpAtomic:  touching("atomic", "a = n(b, c)", operands{N: OperandAtomicKind, A: OperandWriteResult, B: OperandRead, C: OperandRead}, Atomic, 0, 0),
	OpBarrier: other("barrier", "wait for the workgroup: n", operands{N: OperandBarrierKind}),

	OpTexel:       other("texel", "a = address of the texel at b", operands{N: OperandNumber, A: OperandWriteAddress, B: OperandReadRow}),
	OpTextureSize: other("texture.size", "a = sizes of the texture at b", operands{N: OperandNumber, A: OperandWriteMany, B: OperandReadRow, C: OperandNumber}),
	OpStored:      other("texel.stored", "a = b as c stores it", operands{N: OperandNumber, A: OperandWriteRow, B: OperandReadRow, C: OperandFormatAt}),
	OpSample:      other("sample", "a = n(b)", operands{N: OperandSampleKind, A: OperandWriteMany, B: OperandReadSample, C: OperandNumber}),

	OpSubgroup: other("subgroup", "a = n(b, c)", operands{N: OperandSubgroupKind, A: OperandWrite, B: OperandRead, C: OperandRead}),
}

func other(name, effect string, takes operands) Instruction {
	return Instruction{name: name, effect: effect, Operands: takes}
}

func computing(name, effect string, takes operands, of types.ScalarKind, watched Opcode) Instruction {
	return Instruction{name: name, effect: effect, Operands: takes, Of: of, Watched: watched}
}

func comparing(name, effect string, of types.ScalarKind, jump Opcode) Instruction {
	return Instruction{name: name, effect: effect, Operands: comparisonForm, Of: of, Jump: jump}
}

// jumping describes a conditional jump. For integers, !(a < b) is b <= a; for floats it is not,
// because of NaN.
func jumping(name, effect string, of types.ScalarKind, orElse Opcode) Instruction {
	swapped := of == SignedKind || of == UnsignedKind
	return Instruction{name: name, effect: effect, Operands: jumpForm, Of: of, orElse: orElse, swapped: swapped}
}

func touching(name, effect string, takes operands, how AccessKind, where MemoryKind, watched Opcode) Instruction {
	return Instruction{name: name, effect: effect, Operands: takes, Access: how, Memory: where, Watched: watched}
}

// init describes the watched forms like the plain ones.
func init() {
	for _, plain := range instructions {
		if plain.Watched != 0 {
			form := plain
			form.name, form.Watched = plain.name+".watched", 0
			instructions[plain.Watched] = form
		}
	}
}

func (o Opcode) Info() *Instruction { return &instructions[o] }

// OnlySets reports whether the instruction's only effect is to set slot A, or N slots starting at
// A. It can then write to other slots instead.
func (i *Instruction) OnlySets() bool {
	switch i.Operands.A {
	case OperandWrite, OperandWriteBool, OperandWriteAddress, OperandWriteRow:
		return i.Operands.C != OperandTarget
	}
	return false
}

// ToBuffer reports whether an instruction stores in a buffer.
func (in *Instr) ToBuffer() bool {
	info := in.Op.Info()
	if info.Access == Atomic {
		return in.N&AtomicInBuffer != 0 && in.N != AtomicLoad|AtomicInBuffer
	}
	return info.Access == Write && info.Memory == InBuffers
}

// Memory returns the memory that an instruction touches, if it touches any.
func (in *Instr) Memory() MemoryKind {
	info := in.Op.Info()
	switch {
	case info.Access != Atomic:
		return info.Memory
	case in.N&AtomicInBuffer != 0:
		return InBuffers
	}
	return InShared
}

// Reads returns how many words a load reads, or an atomicLoad.
func (in *Instr) Reads() uint32 {
	if info := in.Op.Info(); info.Access == Atomic || info.Operands.N != OperandNumber {
		return 1
	}
	return uint32(in.N)
}

// Shared reports whether the instruction touches memory that invocations share.
func (i *Instruction) Shared() bool { return i.Access == Atomic || i.ReadsOrWritesShared() }

// ReadsOrWritesShared is like shared, but excludes atomic functions.
func (i *Instruction) ReadsOrWritesShared() bool {
	return (i.Access == Read || i.Access == Write) && i.Memory != InSlots
}

// Jumps reports whether the instruction is a conditional jump.
func (i *Instruction) Jumps() bool {
	return i.Operands.B == OperandRead && i.Operands.C == OperandTarget
}

// AccessKind says what an access does.
type AccessKind uint8

// The kinds of access.
const (
	noAccess AccessKind = iota
	Read
	Write
	Atomic // any atomic operation
)

func (k AccessKind) String() string { return [...]string{"none", "read", "write", "atomic"}[k] }

// The atomic operations are OpAtomic's N. AtomicInBuffer is added if the atomic is in a buffer.
const (
	AtomicLoad = iota
	AtomicStore
	AtomicAdd
	AtomicSub
	AtomicMaxI
	AtomicMaxU
	AtomicMinI
	AtomicMinU
	AtomicAnd
	AtomicOr
	AtomicXor
	AtomicExchange
	AtomicCompareExchange // compares with c, writes c's next slot; a's next slot says whether
	AtomicStoreMax64
	AtomicStoreMin64

	AtomicInBuffer = 1 << 8
)

var atomicNames = [...]string{
	"atomicLoad", "atomicStore", "atomicAdd", "atomicSub", "atomicMax.i32", "atomicMax.u32",
	"atomicMin.i32", "atomicMin.u32", "atomicAnd", "atomicOr", "atomicXor", "atomicExchange",
	"atomicCompareExchangeWeak", "atomicStoreMax.u64", "atomicStoreMin.u64",
}

// The kinds of barrier are OpBarrier's N: the memory that it orders.
const (
	WorkgroupMemory = 1 << iota
	BufferMemory
	TextureMemory
	uniformLoad // a workgroupUniformLoad, before its load
	afterLoad   // the one after its load
)

// NoAddress marks addresses that come from an index out of bounds. The other bits are the number of
// the instruction that made the address.
const NoAddress = 1 << 31
