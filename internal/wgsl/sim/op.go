package sim

// An instr is one instruction of the register machine. Its operands are slots: places of 32 bits in the memory that an
// invocation has for itself. WGSL knows no recursion, so each function, variable and temporary has its slots for good,
// and there is no stack. Vectors, matrices and structures are taken apart by the compiler; what is left are scalars.
type instr struct {
	op      op
	n       uint16
	a, b, c uint32
}

// An op says what an instruction does. In the comments a, b and c are the contents of the slots that the operands
// name; A, B, C and N are the operands themselves.
type op uint16

const (
	opEnd   op = iota // the entry point returns
	opMov             // a = b
	opMovN            // the C slots from A on = those from B on
	opZero            // the C slots from A on = 0
	opMovIf           // if b { a = c }
	opJmp             // go to C
	opLoop            // go to C, which lies before
	opCall            // a = the next instruction; go to C
	opRet             // go to a
	opStmt            // statement C begins: a place to stop at

	opJz   // if b == 0 go to C
	opJnz  // if b != 0 go to C
	opJeq  // if a == b go to C, as bits
	opJne  // and so on; I is signed, U unsigned, F floats
	opJltI //
	opJleI
	opJltU
	opJleU
	opJeqF
	opJneF
	opJltF
	opJleF
	opJnltF // if !(a < b): not the same as b <= a, for NaN
	opJnleF

	opAddI // a = b + c and so on
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
	opNot // every bit
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
	opLNot // truth value
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
	opRoundH // a = b rounded to an f16
	opFn1    // a = functions1[N](b)
	opFn2    // a = functions2[N](b, c)
	opFn3    // a = functions3[N](b, the slot after it, the one after that)

	opIndex    // a = b·N if b < C, else an address that is none
	opIndexDyn // a = b·N if b < c, else an address that is none
	opIndexBig // a = b·stride if b < limit of bigIndexes[C], else an address that is none
	opIndexRun // a = the address of element b of the runtime-sized array C, stride N (0: the array knows)
	opAddr     // a = b + c, addresses; if one is none, a is none
	opAddrK    // a = b + C
	opLen      // a = the length of the runtime-sized array C
	opLenAt    // a = how many elements of C bytes there are from address b to the end of its binding

	opLdS   // the N slots from A on = the slots from b + C on
	opStS   // and back
	opLdW   // the same with workgroup memory
	opStW   //
	opLdM   // the same with the memory of buffers, whose addresses are bytes
	opStM   //
	opLdH   // a = the f16 at b + C
	opStH   //
	opLdRun // a = element b, one word, of the runtime-sized array C
	opStRun //

	opAtomic  // a = what the atomic at b held; N says what it holds then, from c
	opBarrier // wait for the workgroup; N says which kind

	// What follows is as above, and watched.
	opAddIw
	opAddUw
	opSubIw
	opSubUw
	opMulIw
	opMulUw
	opDivIw
	opDivUw
	opRemIw
	opRemUw
	opNegIw
	opAddFw
	opSubFw
	opMulFw
	opDivFw
	opRemFw
	opRoundHw
	opFn1w
	opFn2w
	opFn3w
	opLdWw
	opStWw
	opLdMw
	opStMw
	opLdHw
	opStHw
	opLdRunw
	opStRunw
)

// watched is the watched form of an operation that has one.
var watched = map[op]op{
	opAddI: opAddIw, opAddU: opAddUw, opSubI: opSubIw, opSubU: opSubUw, opMulI: opMulIw, opMulU: opMulUw,
	opDivI: opDivIw, opDivU: opDivUw, opRemI: opRemIw, opRemU: opRemUw, opNegI: opNegIw,
	opAddF: opAddFw, opSubF: opSubFw, opMulF: opMulFw, opDivF: opDivFw, opRemF: opRemFw, opRoundH: opRoundHw,
	opFn1: opFn1w, opFn2: opFn2w, opFn3: opFn3w,
	opLdW: opLdWw, opStW: opStWw, opLdM: opLdMw, opStM: opStMw, opLdH: opLdHw, opStH: opStHw,
	opLdRun: opLdRunw, opStRun: opStRunw,
}

// negated is the jump that is taken where the other is not.
var negated = map[op]op{
	opJz: opJnz, opJnz: opJz, opJeq: opJne, opJne: opJeq, opJeqF: opJneF, opJneF: opJeqF,
	opJltF: opJnltF, opJleF: opJnleF, opJnltF: opJltF, opJnleF: opJleF,
}

// writesA reports whether the operation's only effect is to set slot A, or the N slots from A on, so that it may just
// as well set others.
func (o op) writesA() bool {
	switch {
	case o == opMov, o >= opAddI && o <= opLenAt, o == opLdS, o == opLdW, o == opLdM, o == opLdH, o == opLdRun:
		return true
	}
	return false
}

// readsC reports whether operand C of an operation that writesA is a slot.
func (o op) readsC() bool {
	switch o {
	case opMov, opNegI, opNot, opLNot, opNegF, opAbsF, opRoundH, opFn1, opFn3, opIndex, opIndexBig, opIndexRun, opAddrK,
		opLen, opLenAt, opLdS, opLdW, opLdM, opLdH, opLdRun:
		return false
	}
	return true
}

// The atomic operations, opAtomic's N; atomicInBuffer is added where the atomic is in a buffer.
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
	atomicCompareExchange // c is what is compared with, the slot after it what is written; a, and then whether
	atomicStoreMax64
	atomicStoreMin64

	atomicInBuffer = 1 << 8
)

// The kinds of barrier, opBarrier's N: which memory it orders.
const (
	workgroupMemory = 1 << iota
	bufferMemory
	uniformLoad // a workgroupUniformLoad, before its load
	afterLoad   // and after
)

// noAddress marks addresses that an index out of bounds has made. The rest is the instruction that did.
const noAddress = 1 << 31
