package findings

// A Kind is a slug for the subject of a finding. It is stable, in lower case, with hyphens.
type Kind string

// The kinds that the simulator reports in a run.
const (
	RaceWorkgroup    Kind = "race-workgroup"
	RaceStorage      Kind = "race-storage"
	OutOfBoundsRead  Kind = "out-of-bounds-read"
	OutOfBoundsWrite Kind = "out-of-bounds-write"
	DivergentBarrier Kind = "divergent-barrier"
	StepLimit        Kind = "step-limit"
	UnwrittenRead    Kind = "unwritten-read"
	LostUpdate       Kind = "lost-update"
	ArrivalOrder     Kind = "arrival-order" // what an atomic function returns depends on who comes first
	OwnCopy          Kind = "own-copy"      // an array of which each invocation has its own, used as if it were shared
	Wrapped          Kind = "wrapped"
	IndirectCounts   Kind = "indirect-counts"  // the host takes workgroups from a buffer, and a device runs none
	SpareWorkgroups  Kind = "spare-workgroups" // the dispatch has workgroups without work
	FewWorkgroups    Kind = "few-workgroups"   // the dispatch leaves elements that further workgroups would write
	DivisionByZero   Kind = "division-by-zero"
	NotANumber       Kind = "not-a-number"
	Overflow         Kind = "overflow"
	Subnormal        Kind = "subnormal"
	RoundedWhole     Kind = "rounded-whole" // a whole number that a float rounded, as an index, a bound or a result
)

// The kinds that the rules for legal shaders report; each is its rule's name.
const (
	BarrierUnneeded    Kind = "barrier-unneeded"
	ComparisonConstant Kind = "comparison-constant"
	GuardIgnored       Kind = "guard-ignored"
	LimitExceeded      Kind = "limit-exceeded"
	LoopEndless        Kind = "loop-endless"
	UnusedBinding      Kind = "unused-binding"
	WorkgroupUnwritten Kind = "workgroup-unwritten"
	WrapAtZero         Kind = "wrap-at-zero"
)

// The kinds of the front end that several packages use. The front end reports about 200 more, each
// in one place.
const (
	AtomicAccess          Kind = "atomic-access"
	NoPower               Kind = "no-power" // ^ or ** where a power was meant
	ForeignDeclaration    Kind = "foreign-declaration"
	ForeignType           Kind = "foreign-type"
	ForeignWord           Kind = "foreign-word"
	NonUniformControlFlow Kind = "non-uniform-control-flow" // breaks the rules of uniformity (§ 15.2)
	NonUniformSubgroup    Kind = "non-uniform-subgroup"     // the same, for a function of subgroups
	NonUniformValue       Kind = "non-uniform-value"        // breaks the same rules with a value
	Preprocessing         Kind = "preprocessing"            // of the directives and placeholders of a template
	PrintComment          Kind = "print-comment"            // can show nothing
	UnknownName           Kind = "unknown-name"
)

// The kinds that an engine reports before a run.
const (
	NotCompiled     Kind = "compile" // what `wgslab simulate` calls every error of the front end
	NoEntryPoint    Kind = "no-entry-point"
	WorkgroupSize   Kind = "workgroup-size"
	WorkgroupMemory Kind = "workgroup-memory"
	NotText         Kind = "not-text"
	Unreadable      Kind = "unreadable-file" // nothing is known of the shader in it
	EngineRefuses   Kind = "engine-refuses"  // WGSL allows the shader, but the engine's own compiler does not
	TargetLacks     Kind = "target-lacks"    // WGSL allows the shader, but an implementation that it is for does not
)
