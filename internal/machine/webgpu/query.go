package webgpu

import "github.com/wgslab/wgslab/internal/machine/engine/gpu"

// A QuerySet holds timestamps.
type QuerySet struct {
	HostObject
	Type  QueryType
	Count uint32

	made  *gpu.Queries
	users int
}

// mostQueries is WebGPU's limit on the queries of a set.
const mostQueries = 4096

// CreateQuerySet makes a query set (§ QuerySet Creation).
func (d *Device) CreateQuerySet(at HostSite, label string, kind QueryType, count uint32) (*QuerySet, error) {
	q := &QuerySet{Type: kind, Count: count, users: 1}
	call := d.begin("createQuerySet", at, &d.HostObject, &q.HostObject, 8*uint64(count))
	defer d.record.mu.Unlock()
	d.object(&q.HostObject, "query set", label, at)
	var m *Mistake
	switch {
	case kind == QueryTypeTimestamp && !d.has(FeatureTimestampQuery):
		m = d.mistake("query-feature", at, nil, nil)
	case count > mostQueries:
		m = d.mistake("query-count", at, nil, facts{"given": uint64(count), "needed": uint64(mostQueries)})
	}
	if m != nil {
		return q, d.fail(call, &q.HostObject, m)
	}
	if err := d.alive(at); err != nil || kind != QueryTypeTimestamp || count == 0 {
		return q, err
	}
	var err error
	if q.made, err = gpu.NewQueries(d.engine, count); err != nil {
		return q, d.fault(at, ErrorFilterOutOfMemory, err)
	}
	d.releases = append(d.releases, q.free)
	return q, nil
}

// Destroy frees the query set (§ Query Set Destruction).
func (q *QuerySet) Destroy(at HostSite) {
	q.device.begin("destroy", at, &q.HostObject, nil, 0)
	defer q.device.record.mu.Unlock()
	q.destroyed = true
}

// Release tells that the program needs the query set no more.
func (q *QuerySet) Release(at HostSite) {
	if q.device.release(at, &q.HostObject) {
		q.device.record.mu.Lock()
		defer q.device.record.mu.Unlock()
		q.drop()
	}
}

func (q *QuerySet) drop() {
	if q.users--; q.users == 0 {
		q.free()
	}
}

func (q *QuerySet) free() {
	if q.made != nil {
		q.made.Free()
		q.made = nil
	}
}
