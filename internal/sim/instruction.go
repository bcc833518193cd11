package sim

import "github.com/wgslab/wgslab/internal/wgsl/types"

// An instr is one instruction as the machine executes it. The table says what its operands are.
type instr struct {
	op      op
	n       uint16
	a, b, c uint32
}

// An op names an operation; the table says what it does.
type op uint16

const (
	opEnd op = iota
	opMove
	opMoveRow
	opZero
	opMoveIf
	opJump
	opLoop
	opCall
	opReturn
	opStatement
	opJumpFalse
	opJumpTrue
	opJumpEq
	opJumpNe
	opJumpLtI
	opJumpLeI
	opJumpLtU
	opJumpLeU
	opJumpEqF
	opJumpNeF
	opJumpLtF
	opJumpLeF
	opJumpNotLtF
	opJumpNotLeF
	opAddI
	opAddU
	opSubI
	opSubU
	opMulI
	opMulU
	opDivI
	opDivU
	opRemI
	opRemU
	opNegI
	opAnd
	opOr
	opXor
	opNot
	opShl
	opShrI
	opShrU
	opEq
	opNe
	opLtI
	opLeI
	opLtU
	opLeU
	opEqF
	opNeF
	opLtF
	opLeF
	opNotBool
	opAddF
	opSubF
	opMulF
	opDivF
	opRemF
	opNegF
	opMinI
	opMinU
	opMinF
	opMaxI
	opMaxU
	opMaxF
	opAbsF
	opRoundH
	opApply1
	opApply2
	opApply3
	opIndex
	opIndexUpTo
	opIndexBig
	opIndexElement
	opAddAddress
	opAddOffset
	opLength
	opLengthAt
	opLoadSlots
	opStoreSlots
	opLoadWorkgroup
	opStoreWorkgroup
	opLoadBuffer
	opStoreBuffer
	opLoadHalf
	opStoreHalf
	opLoadElement
	opStoreElement
	opAtomic
	opBarrier

	// The watched forms do the same and report errors.
	opAddIWatched
	opAddUWatched
	opSubIWatched
	opSubUWatched
	opMulIWatched
	opMulUWatched
	opDivIWatched
	opDivUWatched
	opRemIWatched
	opRemUWatched
	opNegIWatched
	opAddFWatched
	opSubFWatched
	opMulFWatched
	opDivFWatched
	opRemFWatched
	opRoundHWatched
	opApply1Watched
	opApply2Watched
	opApply3Watched
	opLoadSlotsWatched
	opStoreSlotsWatched
	opLoadWorkgroupWatched
	opStoreWorkgroupWatched
	opLoadBufferWatched
	opStoreBufferWatched
	opLoadHalfWatched
	opStoreHalfWatched
	opLoadElementWatched
	opStoreElementWatched

	opCount
)

// An instruction describes one operation. The compiler, the tracer, the recorder behind Explain and
// the disassembler read everything they know about it here; exec carries it out.
type instruction struct {
	name     string
	effect   string // its meaning; the letters n, a, b and c stand for the operands
	operands operands
	of       types.ScalarKind // the kind of its operands, if it is always the same

	watched op   // the form that also reports errors; 0 if there is none
	jump    op   // of a comparison: the jump that is taken if it is true
	orElse  op   // of a jump: the jump that is taken if this one is not,
	swapped bool // with a and b swapped

	access AccessKind // the kind of memory access,
	memory memory     // and the memory; of an atomic function, operand n says which
}

// operands give the meaning of an instruction's operands.
type operands struct{ n, a, b, c operand }

// An operand is the meaning of one operand of an instruction. Most operands name slots.
type operand uint8

const (
	unused       operand = iota
	read                 // the slot is read
	readRow              // the n slots from it on are read
	readMany             // the c slots
	readThree            // the three slots
	write                // the slot is written
	writeBool            // the slot is written, with a bool
	writeAddress         // the slot is written, with an address or a length
	writeIf              // the slot may be written
	writeRow             // the n slots from it on are written
	writeMany            // the c slots
	writeResult          // as many slots as the atomic function has results

	number      // the operand is a number itself
	target      // an instruction
	arrayAt     // a runtime-sized array, by its index in Program.arrays
	bigIndexAt  // a stride and a limit, by their index in Program.bigIndexes
	functionAt  // a function, by its index in functions1, functions2 or functions3
	atomicKind  // atomicLoad or one of the constants after it
	barrierKind // workgroupMemory or one of the constants after it
)

var (
	unaryForm      = operands{a: write, b: read}
	binaryForm     = operands{a: write, b: read, c: read}
	comparisonForm = operands{a: writeBool, b: read, c: read}
	jumpForm       = operands{a: read, b: read, c: target}
	loadForm       = operands{n: number, a: writeRow, b: read, c: number}
	storeForm      = operands{n: number, a: readRow, b: read, c: number}
)

const anyKind, signed, unsigned, float = types.BoolKind, types.I32Kind, types.U32Kind, types.F32Kind

// instructions is the table of all instructions.
var instructions = [opCount]instruction{
	opEnd:       other("end", "end of the invocation", operands{}),
	opMove:      other("move", "a = b", unaryForm),
	opMoveRow:   other("move.row", "a = b", operands{a: writeMany, b: readMany, c: number}),
	opZero:      other("zero", "a = 0", operands{a: writeMany, c: number}),
	opMoveIf:    other("move.if", "a = c, if b", operands{a: writeIf, b: read, c: read}),
	opJump:      other("jump", "goto c", operands{c: target}),
	opLoop:      other("loop", "goto c", operands{c: target}),
	opCall:      other("call", "a = next, goto c", operands{a: write, c: target}),
	opReturn:    other("return", "goto a", operands{a: read}),
	opStatement: other("statement", "stop before statement c", operands{c: number}),

	opJumpFalse:  other("jump.false", "if !b goto c", operands{b: read, c: target}),
	opJumpTrue:   other("jump.true", "if b goto c", operands{b: read, c: target}),
	opJumpEq:     jumping("jump.eq", "if a == b goto c", anyKind, opJumpNe),
	opJumpNe:     jumping("jump.ne", "if a != b goto c", anyKind, opJumpEq),
	opJumpLtI:    jumping("jump.lt.i32", "if a < b goto c", signed, opJumpLeI),
	opJumpLeI:    jumping("jump.le.i32", "if a <= b goto c", signed, opJumpLtI),
	opJumpLtU:    jumping("jump.lt.u32", "if a < b goto c", unsigned, opJumpLeU),
	opJumpLeU:    jumping("jump.le.u32", "if a <= b goto c", unsigned, opJumpLtU),
	opJumpEqF:    jumping("jump.eq.f32", "if a == b goto c", float, opJumpNeF),
	opJumpNeF:    jumping("jump.ne.f32", "if a != b goto c", float, opJumpEqF),
	opJumpLtF:    jumping("jump.lt.f32", "if a < b goto c", float, opJumpNotLtF),
	opJumpLeF:    jumping("jump.le.f32", "if a <= b goto c", float, opJumpNotLeF),
	opJumpNotLtF: jumping("jump.not.lt.f32", "if !(a < b) goto c", float, opJumpLtF),
	opJumpNotLeF: jumping("jump.not.le.f32", "if !(a <= b) goto c", float, opJumpLeF),

	opAddI:    computing("add.i32", "a = b + c", binaryForm, signed, opAddIWatched),
	opAddU:    computing("add.u32", "a = b + c", binaryForm, unsigned, opAddUWatched),
	opSubI:    computing("sub.i32", "a = b - c", binaryForm, signed, opSubIWatched),
	opSubU:    computing("sub.u32", "a = b - c", binaryForm, unsigned, opSubUWatched),
	opMulI:    computing("mul.i32", "a = b * c", binaryForm, signed, opMulIWatched),
	opMulU:    computing("mul.u32", "a = b * c", binaryForm, unsigned, opMulUWatched),
	opDivI:    computing("div.i32", "a = b / c", binaryForm, signed, opDivIWatched),
	opDivU:    computing("div.u32", "a = b / c", binaryForm, unsigned, opDivUWatched),
	opRemI:    computing("rem.i32", "a = b % c", binaryForm, signed, opRemIWatched),
	opRemU:    computing("rem.u32", "a = b % c", binaryForm, unsigned, opRemUWatched),
	opNegI:    computing("neg.i32", "a = -b", unaryForm, signed, opNegIWatched),
	opAnd:     computing("and", "a = b & c", binaryForm, anyKind, 0),
	opOr:      computing("or", "a = b | c", binaryForm, anyKind, 0),
	opXor:     computing("xor", "a = b ^ c", binaryForm, anyKind, 0),
	opNot:     computing("not", "a = ~b", unaryForm, anyKind, 0),
	opShl:     computing("shl", "a = b << c", binaryForm, anyKind, 0),
	opShrI:    computing("shr.i32", "a = b >> c", binaryForm, signed, 0),
	opShrU:    computing("shr.u32", "a = b >> c", binaryForm, unsigned, 0),
	opEq:      comparing("eq", "a = b == c", anyKind, opJumpEq),
	opNe:      comparing("ne", "a = b != c", anyKind, opJumpNe),
	opLtI:     comparing("lt.i32", "a = b < c", signed, opJumpLtI),
	opLeI:     comparing("le.i32", "a = b <= c", signed, opJumpLeI),
	opLtU:     comparing("lt.u32", "a = b < c", unsigned, opJumpLtU),
	opLeU:     comparing("le.u32", "a = b <= c", unsigned, opJumpLeU),
	opEqF:     comparing("eq.f32", "a = b == c", float, opJumpEqF),
	opNeF:     comparing("ne.f32", "a = b != c", float, opJumpNeF),
	opLtF:     comparing("lt.f32", "a = b < c", float, opJumpLtF),
	opLeF:     comparing("le.f32", "a = b <= c", float, opJumpLeF),
	opNotBool: computing("not.bool", "a = !b", operands{a: writeBool, b: read}, anyKind, 0),
	opAddF:    computing("add.f32", "a = b + c", binaryForm, float, opAddFWatched),
	opSubF:    computing("sub.f32", "a = b - c", binaryForm, float, opSubFWatched),
	opMulF:    computing("mul.f32", "a = b * c", binaryForm, float, opMulFWatched),
	opDivF:    computing("div.f32", "a = b / c", binaryForm, float, opDivFWatched),
	opRemF:    computing("rem.f32", "a = b % c", binaryForm, float, opRemFWatched),
	opNegF:    computing("neg.f32", "a = -b", unaryForm, float, 0),
	opMinI:    computing("min.i32", "a = min(b, c)", binaryForm, signed, 0),
	opMinU:    computing("min.u32", "a = min(b, c)", binaryForm, unsigned, 0),
	opMinF:    computing("min.f32", "a = min(b, c)", binaryForm, float, 0),
	opMaxI:    computing("max.i32", "a = max(b, c)", binaryForm, signed, 0),
	opMaxU:    computing("max.u32", "a = max(b, c)", binaryForm, unsigned, 0),
	opMaxF:    computing("max.f32", "a = max(b, c)", binaryForm, float, 0),
	opAbsF:    computing("abs.f32", "a = abs(b)", unaryForm, float, 0),
	opRoundH:  computing("round.f16", "a = f32(f16(b))", unaryForm, float, opRoundHWatched),
	opApply1:  computing("apply.1", "a = n(b)", operands{n: functionAt, a: write, b: read}, anyKind, opApply1Watched),
	opApply2:  computing("apply.2", "a = n(b, c)", operands{n: functionAt, a: write, b: read, c: read}, anyKind, opApply2Watched),
	opApply3:  computing("apply.3", "a = n(b)", operands{n: functionAt, a: write, b: readThree}, anyKind, opApply3Watched),

	opIndex:        other("index", "a = b * n, if b < c", operands{n: number, a: writeAddress, b: read, c: number}),
	opIndexUpTo:    other("index.upto", "a = b * n, if b < c", operands{n: number, a: writeAddress, b: read, c: read}),
	opIndexBig:     other("index.big", "a = b * c", operands{a: writeAddress, b: read, c: bigIndexAt}),
	opIndexElement: other("index.element", "a = address of c[b]", operands{a: writeAddress, b: read, c: arrayAt}),
	opAddAddress:   other("address.add", "a = b + c", operands{a: writeAddress, b: read, c: read}),
	opAddOffset:    other("address.offset", "a = b + c", operands{a: writeAddress, b: read, c: number}),
	opLength:       other("length", "a = length of c", operands{a: writeAddress, c: arrayAt}),
	opLengthAt:     other("length.at", "a = elements of c bytes from address b", operands{a: writeAddress, b: read, c: number}),

	opLoadSlots:      touching("load.slots", "a = slots[b + c]", loadForm, Read, inSlots, opLoadSlotsWatched),
	opStoreSlots:     touching("store.slots", "slots[b + c] = a", storeForm, Write, inSlots, opStoreSlotsWatched),
	opLoadWorkgroup:  touching("load.workgroup", "a = workgroup[b + c]", loadForm, Read, inShared, opLoadWorkgroupWatched),
	opStoreWorkgroup: touching("store.workgroup", "workgroup[b + c] = a", storeForm, Write, inShared, opStoreWorkgroupWatched),
	opLoadBuffer:     touching("load.buffer", "a = buffers[b + c]", loadForm, Read, inBuffers, opLoadBufferWatched),
	opStoreBuffer:    touching("store.buffer", "buffers[b + c] = a", storeForm, Write, inBuffers, opStoreBufferWatched),
	opLoadHalf:       touching("load.f16", "a = f16 at buffers[b + c]", operands{a: write, b: read, c: number}, Read, inBuffers, opLoadHalfWatched),
	opStoreHalf:      touching("store.f16", "f16 at buffers[b + c] = a", operands{a: read, b: read, c: number}, Write, inBuffers, opStoreHalfWatched),
	opLoadElement:    touching("load.element", "a = c[b]", operands{a: write, b: read, c: arrayAt}, Read, inBuffers, opLoadElementWatched),
	opStoreElement:   touching("store.element", "c[b] = a", operands{a: read, b: read, c: arrayAt}, Write, inBuffers, opStoreElementWatched),

	opAtomic:  touching("atomic", "a = n(b, c)", operands{n: atomicKind, a: writeResult, b: read, c: read}, Atomic, 0, 0),
	opBarrier: other("barrier", "wait for the workgroup: n", operands{n: barrierKind}),
}

func other(name, effect string, takes operands) instruction {
	return instruction{name: name, effect: effect, operands: takes}
}

func computing(name, effect string, takes operands, of types.ScalarKind, watched op) instruction {
	return instruction{name: name, effect: effect, operands: takes, of: of, watched: watched}
}

func comparing(name, effect string, of types.ScalarKind, jump op) instruction {
	return instruction{name: name, effect: effect, operands: comparisonForm, of: of, jump: jump}
}

// jumping describes a conditional jump. For integers, !(a < b) is b <= a; for floats it is not,
// because of NaN.
func jumping(name, effect string, of types.ScalarKind, orElse op) instruction {
	swapped := of == signed || of == unsigned
	return instruction{name: name, effect: effect, operands: jumpForm, of: of, orElse: orElse, swapped: swapped}
}

func touching(name, effect string, takes operands, how AccessKind, where memory, watched op) instruction {
	return instruction{name: name, effect: effect, operands: takes, access: how, memory: where, watched: watched}
}

// init describes the watched forms like the plain ones.
func init() {
	for _, plain := range instructions {
		if plain.watched != 0 {
			form := plain
			form.name, form.watched = plain.name+".watched", 0
			instructions[plain.watched] = form
		}
	}
}

func (o op) info() *instruction { return &instructions[o] }

// onlySets reports whether the instruction's only effect is to set slot A, or N slots starting at
// A. It can then write to other slots instead.
func (i *instruction) onlySets() bool {
	switch i.operands.a {
	case write, writeBool, writeAddress, writeRow:
		return i.operands.c != target
	}
	return false
}

// toBuffer reports whether an instruction stores in a buffer.
func (in *instr) toBuffer() bool {
	info := in.op.info()
	if info.access == Atomic {
		return in.n&atomicInBuffer != 0 && in.n != atomicLoad|atomicInBuffer
	}
	return info.access == Write && info.memory == inBuffers
}

// shared reports whether the instruction touches memory that invocations share.
func (i *instruction) shared() bool { return i.access == Atomic || i.readsOrWritesShared() }

// readsOrWritesShared is like shared, but excludes atomic functions.
func (i *instruction) readsOrWritesShared() bool {
	return (i.access == Read || i.access == Write) && i.memory != inSlots
}

// jumps reports whether the instruction is a conditional jump.
func (i *instruction) jumps() bool { return i.operands.b == read && i.operands.c == target }

// The atomic operations are opAtomic's N. atomicInBuffer is added if the atomic is in a buffer.
const (
	atomicLoad = iota
	atomicStore
	atomicAdd
	atomicSub
	atomicMaxI
	atomicMaxU
	atomicMinI
	atomicMinU
	atomicAnd
	atomicOr
	atomicXor
	atomicExchange
	atomicCompareExchange // compares with c, writes c's next slot; a's next slot says whether
	atomicStoreMax64
	atomicStoreMin64

	atomicInBuffer = 1 << 8
)

var atomicNames = [...]string{
	"atomicLoad", "atomicStore", "atomicAdd", "atomicSub", "atomicMax.i32", "atomicMax.u32",
	"atomicMin.i32", "atomicMin.u32", "atomicAnd", "atomicOr", "atomicXor", "atomicExchange",
	"atomicCompareExchangeWeak", "atomicStoreMax.u64", "atomicStoreMin.u64",
}

// The kinds of barrier are opBarrier's N: the memory that it orders.
const (
	workgroupMemory = 1 << iota
	bufferMemory
	uniformLoad // a workgroupUniformLoad, before its load
	afterLoad   // the one after its load
)

// noAddress marks addresses that come from an index out of bounds. The other bits are the number of
// the instruction that made the address.
const noAddress = 1 << 31
