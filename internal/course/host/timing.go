package host

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/machine/webgpu"
)

// A stamp is 8 bytes that the program mapped: they may be a time.
type stamp struct {
	value uint64
	at    webgpu.HostSite // of the mapping
}

// explainTimes compares the ticks that the function returns with the times that it mapped.
func explainTimes(r *trial) *explanation {
	stamps := r.stamps()
	if len(stamps) == 0 {
		return &explanation{Diagnosis: verdict.Diagnosis{Stage: verdict.StageCompare, Slug: "times-not-read", Message: "Your function maps no times.", Try: "Resolve the two queries to a buffer, copy it, and map the copy: 8 bytes for each."}}
	}
	for i, a := range stamps {
		for j, b := range stamps {
			if i != j && a.value != 0 && a.value <= b.value && r.ticks == float64(b.value-a.value) {
				return r.ofTheDispatch()
			}
		}
	}
	for _, a := range stamps {
		if a.value != 0 && (r.ticks == -float64(a.value) || r.ticks == float64(-a.value)) && slices.ContainsFunc(stamps, func(s stamp) bool { return s.value == 0 }) {
			return diagnosis("times-zero", r.resolved(a.at), "The time of the end is 0: your function returns 0 minus the time of the beginning", "A query that no pass wrote holds 0, and so does one that isn't resolved. Compare the names of the descriptor's members, and the number of queries.")
		}
		for _, b := range stamps {
			if a.value != 0 && a.value < b.value && (r.ticks == float64(a.value-b.value) || r.ticks == -float64(b.value-a.value)) {
				return diagnosis("times-exchanged", differenceOf(a.at), "Your function subtracts the later time from the earlier one", "A time can't be negative. The pass's begin comes first.")
			}
		}
		if a.value != 0 && r.ticks == float64(a.value) && slices.ContainsFunc(stamps, func(s stamp) bool { return s.value == 0 }) {
			return diagnosis("times-zero", r.resolved(a.at), "One of your two times is 0, so the difference is the other one", "A query that no pass wrote holds 0, and so does one that isn't resolved or copied. Compare the indices, the number of queries and the offsets.")
		}
		if a.value != 0 && r.ticks == float64(a.value) {
			return diagnosis("time-itself", differenceOf(a.at), "Your function returns one of the two times", "Subtract the begin from the end. A time alone counts from a moment that the device chose.")
		}
	}
	if r.ticks == 0 {
		return diagnosis("times-zero", r.resolved(stamps[len(stamps)-1].at), "The difference of your two times is 0", "A query that no pass wrote holds 0. Resolve both queries after the pass, and copy all 16 bytes.")
	}
	return diagnosis("times-other", differenceOf(stamps[len(stamps)-1].at), fmt.Sprintf("Your function returns %.0f, and that is no difference of two times that you mapped", r.ticks), "A time has 8 bytes: read whole numbers of 64 bits.")
}

// ofTheDispatch reports the mistake that the times are those of a pass without a dispatch.
func (r *trial) ofTheDispatch() *explanation {
	var at webgpu.HostSite
	for _, s := range r.record.Submissions {
		for _, step := range s.Steps {
			switch {
			case step.Pass == nil || !step.Pass.Timed:
			case len(step.Pass.Dispatches) > 0:
				return nil
			default:
				at = step.At
			}
		}
	}
	if !at.Known() {
		return nil // an encoder wrote the times, outside of passes
	}
	return diagnosis("times-other-pass", at, "The pass whose times you read has no dispatch", "Let the pass that runs your shader write the times.")
}

// resolved returns where the program resolves queries before a pass writes them, or too few of
// them, or copies them before it resolves them; else another place.
func (r *trial) resolved(other webgpu.HostSite) webgpu.HostSite {
	for _, s := range r.record.Submissions {
		written := false
		for i, step := range s.Steps {
			if step.Copy != nil && slices.ContainsFunc(s.Steps[i:], func(later webgpu.Step) bool { return later.Resolve != nil && later.Resolve.To == step.Copy.From }) {
				return step.At
			}
			if step.Pass != nil && step.Pass.Timed {
				written = true
			}
			if q := step.Resolve; q != nil && (!written || q.Count < 2) {
				return step.At
			}
		}
	}
	return other
}

// stamps returns what the program mapped, in steps of 4 bytes. A mapping of the sums alone is left
// out.
func (r *trial) stamps() (all []stamp) {
	for _, m := range r.record.Mappings {
		data := m.Data()
		if len(data) == 4*len(r.Want) {
			continue
		}
		for i := 0; i+8 <= len(data); i += 4 {
			all = append(all, stamp{binary.LittleEndian.Uint64(data[i:]), m.At})
		}
	}
	return all
}
