package host

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/wgslab/wgslab/internal/machine/webgpu"
)

// A call shows its own line, but a mistake may be in another: in the entry of a bind group that is
// written over several lines, or where a number was computed that the call only passes on. What
// follows finds such lines in the program's text. Without one, the call's line stays.

// entryOf returns the line of an entry in the call that makes a bind group.
func entryOf(at webgpu.HostSite, binding uint32) webgpu.HostSite {
	const most = 24 // lines of such a call
	is := regexp.MustCompile(fmt.Sprintf(`(?i)\bbinding:\s*%d\b`, binding))
	lines, here := at.Lines()
	for i := max(here, 0); i < min(len(lines), here+most); i++ {
		if is.MatchString(lines[i]) {
			return at.OnLine(i)
		}
	}
	return at
}

var (
	// dispatched matches a dispatch whose workgroups in x are a variable's.
	dispatched = regexp.MustCompile(`(?i)dispatchWorkgroups\(\s*(?:uint32\()?\s*([\pL_][\pL\pN_]*)\s*[,)]`)
	// sending matches a call that sends a variable's numbers to a buffer.
	sending = regexp.MustCompile(`(?:(?i:writeBuffer)\([^,]+,[^,]+,\s*(?:wgpu\.ToBytes\()?|Contents:\s*wgpu\.ToBytes\()\s*([\pL_][\pL\pN_]*)\s*[,)]`)
	// subtracted matches a difference of two numbers of a slice.
	subtracted = regexp.MustCompile(`\w\[[^\]]*\]\s*-\s*\w+\[`)
	// declared matches the beginning of a function.
	declared = regexp.MustCompile(`^(?:async\s+)?func`)
)

// releaseOf returns the line that releases an object. A deferred call has the line of the return:
// then it is the last defer of the object's variable before it.
func releaseOf(at webgpu.HostSite, variable string) webgpu.HostSite {
	lines, here := at.Lines()
	if variable == "" || here < 0 || here >= len(lines) || strings.Contains(lines[here], "Release()") {
		return at
	}
	return lastBefore(at, regexp.MustCompile(`\bdefer\s+`+regexp.QuoteMeta(variable)+`\.Release\(\)`))
}

// countOf returns the line that computes the workgroups of a dispatch.
func countOf(at webgpu.HostSite) webgpu.HostSite {
	name := named(at, dispatched, 1)
	if name == "" {
		return at
	}
	return lastBefore(at, regexp.MustCompile(`(?:^|[\s,])`+name+`\s*(?:,[^=]*)?:?=[^=]`))
}

// numbersOf returns the line that computes the numbers that a call sends to a buffer.
func numbersOf(at webgpu.HostSite) webgpu.HostSite {
	name := named(at, sending, 3)
	if name == "" {
		return at
	}
	if found := lastBefore(at, regexp.MustCompile(`\b`+name+`\[[^=]*\]\s*=[^=]|\b`+name+`\s*=\s*append\(`)); found != at {
		return found
	}
	return lastBefore(at, regexp.MustCompile(`(?:^|[\s,])`+name+`\s*:?=[^=]`))
}

// differenceOf returns the line after a mapping that subtracts two times.
func differenceOf(at webgpu.HostSite) webgpu.HostSite {
	outer := at.FromOutermost()
	lines, here := outer.Lines()
	for i := here; i < len(lines) && (i == here || !declared.MatchString(lines[i])); i++ {
		if subtracted.MatchString(lines[i]) {
			return outer.OnLine(i)
		}
	}
	return at
}

// named returns the first match in a call's line, or in the few lines after it.
func named(at webgpu.HostSite, pattern *regexp.Regexp, most int) string {
	lines, here := at.Lines()
	for i := max(here, 0); i < min(len(lines), here+most); i++ {
		if m := pattern.FindStringSubmatch(lines[i]); m != nil {
			return m[1]
		}
	}
	return ""
}

// lastBefore returns the last line before a call, in its function, that matches.
func lastBefore(at webgpu.HostSite, pattern *regexp.Regexp) webgpu.HostSite {
	lines, here := at.Lines()
	for i := here - 1; i >= 0 && i < len(lines) && !declared.MatchString(lines[i]); i-- {
		if pattern.MatchString(lines[i]) {
			return at.OnLine(i)
		}
	}
	return at
}
