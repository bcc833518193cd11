package gradebook

import (
	"errors"
	"fmt"
	"hash/fnv"
	"reflect"
	"slices"
	"strings"
)

// A Shard is one machine's part of a class. A student's name alone decides the shard.
type Shard struct {
	Index int      `json:"index"` // from 0
	Of    int      `json:"of"`    // 0 or 1: the whole class
	Class []string `json:"class"` // every student's name, in any shard
	Rules string   `json:"rules"` // a digest of what every shard of a run has in common
}

// Has reports whether a student is in the shard.
func (s Shard) Has(student string) bool {
	if s.Of <= 1 {
		return true
	}
	sum := fnv.New32a()
	sum.Write([]byte(student))
	return int(sum.Sum32()%uint32(s.Of)) == s.Index
}

// errOtherRun says that tables belong to different grading runs.
var errOtherRun = errors.New("the parts are not from the same grading run")

// Merge combines the tables of shards, in any order and with any duplicates. Gaps say which shards
// are missing and which students are in them. The error wraps errOtherRun if two tables contradict
// each other.
func Merge(tables []*ClassTable) (merged *ClassTable, gaps []string, err error) {
	if len(tables) == 0 {
		return nil, nil, errors.New("there is no table to merge")
	}
	first := tables[0]
	students, class := map[string]Student{}, map[string]bool{}
	done := map[int]bool{}
	of, rules := 1, ""
	for _, t := range tables {
		if t.Seed != first.Seed {
			return nil, nil, fmt.Errorf("%w: one was graded with seed %d, another with %d", errOtherRun, first.Seed, t.Seed)
		}
		if t.Shard != nil {
			if of > 1 && of != t.Shard.Of {
				return nil, nil, fmt.Errorf("%w: one is a shard of %d, another of %d", errOtherRun, of, t.Shard.Of)
			}
			of = t.Shard.Of
			if rules != "" && rules != t.Shard.Rules {
				return nil, nil, fmt.Errorf("%w: they have other versions of wgslab, exercises, deadlines or costs", errOtherRun)
			}
			rules = t.Shard.Rules
			done[t.Shard.Index] = true
			for _, name := range t.Shard.Class {
				class[name] = true
			}
		}
		for _, s := range t.Submissions {
			if before, twice := students[s.Student]; twice && !reflect.DeepEqual(before, s) {
				return nil, nil, fmt.Errorf("%w: %s is in two of them, with different results", errOtherRun, s.Student)
			}
			students[s.Student] = s
		}
	}
	merged = &ClassTable{Seed: first.Seed, Adapter: adapters(tables), Submissions: []Student{}}
	for _, s := range students {
		merged.Submissions = append(merged.Submissions, s)
	}
	slices.SortFunc(merged.Submissions, func(a, b Student) int { return strings.Compare(a.Student, b.Student) })
	return merged, findGaps(of, done, class, students), nil
}

// findGaps names the missing shards with their students, and students who are missing from a shard
// that is there.
func findGaps(of int, done map[int]bool, class map[string]bool, students map[string]Student) []string {
	var gaps []string
	for index := range of {
		var missing []string
		for name := range class {
			if _, graded := students[name]; !graded && (Shard{Index: index, Of: of}).Has(name) {
				missing = append(missing, name)
			}
		}
		slices.Sort(missing)
		switch {
		case of > 1 && !done[index]:
			gaps = append(gaps, fmt.Sprintf("shard %d of %d is missing: %s", index, of, listed(missing)))
		case len(missing) > 0:
			gaps = append(gaps, fmt.Sprintf("shard %d of %d does not have %s", index, of, listed(missing)))
		}
	}
	return gaps
}

func listed(names []string) string {
	if len(names) == 0 {
		return "it has no students"
	}
	return strings.Join(names, ", ")
}

// adapters joins the names of all adapters that graded.
func adapters(tables []*ClassTable) string {
	var all []string
	for _, t := range tables {
		all = append(all, t.Adapter)
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), "; ")
}
