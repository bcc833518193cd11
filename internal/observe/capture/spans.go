package capture

import "slices"

// A span is a range of bytes, without its end.
type span struct{ from, to uint64 }

func (s span) empty() bool { return s.from >= s.to }

// and returns the common part of two spans.
func (s span) and(other span) span { return span{max(s.from, other.from), min(s.to, other.to)} }

// has reports whether another span is part of it.
func (s span) has(other span) bool { return s.from <= other.from && other.to <= s.to }

// hull returns the smallest span around both.
func (s span) hull(other span) span {
	switch {
	case s.empty():
		return other
	case other.empty():
		return s
	}
	return span{min(s.from, other.from), max(s.to, other.to)}
}

// spans are disjoint, in order.
type spans []span

// within returns the parts in a span.
func (all spans) within(in span) (parts spans) {
	for _, s := range all {
		if s = s.and(in); !s.empty() {
			parts = append(parts, s)
		}
	}
	return parts
}

// without returns the parts outside of a span.
func (all spans) without(out span) (left spans) {
	if out.empty() {
		return all
	}
	for _, s := range all {
		for _, part := range []span{{s.from, min(s.to, out.from)}, {max(s.from, out.to), s.to}} {
			if !part.empty() {
				left = append(left, part)
			}
		}
	}
	return left
}

// with returns all with one more span.
func (all spans) with(more span) spans {
	if more.empty() {
		return all
	}
	all = append(all.without(more), more)
	slices.SortFunc(all, func(a, b span) int {
		if a.from < b.from {
			return -1
		}
		return 1
	})
	return all
}

// bytes counts them.
func (all spans) bytes() (n uint64) {
	for _, s := range all {
		n += s.to - s.from
	}
	return n
}
