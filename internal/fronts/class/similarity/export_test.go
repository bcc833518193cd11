package similarity

import (
	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/fronts/class/submission"
)

// FindIn is like Find, for one exercise.
func FindIn(exercise string, submissions []submission.Submission) (Similarity, error) {
	c, err := collected(exercise, submissions)
	if err != nil {
		return Similarity{}, err
	}
	return c.result(), nil
}

// EveryPair finds the pairs by comparing every two shaders.
func EveryPair(exercise string, submissions []submission.Submission) ([]Pair, error) {
	c, err := collected(exercise, submissions)
	if err != nil {
		return nil, err
	}
	variants, rare := c.variants(classes(c.long, SameShape))
	for b := range variants {
		for a := range b {
			c.pair(variants[a], variants[b], rare)
		}
	}
	return c.found.Pairs, nil
}

func collected(exercise string, submissions []submission.Submission) (*comparison, error) {
	e, err := course.Find(exercise)
	if err != nil {
		return nil, err
	}
	return compare(e, submissions)
}
