package syntax

import (
	"maps"
	"slices"
	"strings"
)

// reservedWords are the words that WGSL reserves for future use (§ 16.2).
var reservedWords = wordSet(`NULL Self abstract active alignas alignof as asm asm_fragment async attribute auto await
become cast catch class co_await co_return co_yield coherent column_major common compile compile_fragment concept
const_cast consteval constexpr constinit crate debugger decltype delete demote demote_to_helper do dynamic_cast enum
explicit export extends extern external fallthrough filter final finally friend from fxgroup get goto groupshared highp
impl implements import inline instanceof interface layout lowp macro macro_rules match mediump meta mod module move mut
mutable namespace new nil noexcept noinline nointerpolation non_coherent noncoherent noperspective null nullptr of
operator package packoffset partition pass patch pixelfragment precise precision premerge priv protected pub public
readonly ref regardless register reinterpret_cast require resource restrict self set shared sizeof smooth snorm static
static_assert static_cast std subroutine super target template this thread_local throw trait try type typedef typeid
typename typeof union unless unorm unsafe unsized use using varying virtual volatile wgsl where with writeonly yield`)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// IsKeyword reports whether the word is a keyword of WGSL (§ 16.1).
func IsKeyword(word string) bool { return keywordKinds[word] != tokEOF }

// IsReserved reports whether WGSL reserves the word for future use (§ 16.2).
func IsReserved(word string) bool { return reservedWords[word] }

// Keywords returns the keywords of WGSL in alphabetical order.
func Keywords() []string { return slices.Sorted(maps.Keys(keywordKinds)) }

// ReservedWords returns the words that WGSL reserves for future use, in alphabetical order.
func ReservedWords() []string { return slices.Sorted(maps.Keys(reservedWords)) }
