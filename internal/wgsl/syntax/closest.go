package syntax

import (
	"math"
	"strings"
)

// Closest returns the candidate that the word was probably meant to be, for "did you mean"; empty
// if none is close enough. The distance counts inserted, deleted, replaced and swapped letters. One
// letter in three may differ; letter case counts only between candidates that are equally close.
func Closest(word string, candidates []string) string {
	slips, best, least := len(word)/3, "", math.MaxInt
	lower := strings.ToLower(word)
	for _, c := range candidates {
		if c == word || len(c) > len(word)+slips || len(word) > len(c)+slips {
			continue
		}
		d := distance(lower, strings.ToLower(c))
		if cost := len(word)*d + distance(word, c); d <= slips && cost < least {
			best, least = c, cost
		}
	}
	return best
}

// distance returns the optimal string alignment distance of a and b, in bytes.
func distance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return 64
	}
	var rows [3][65]int
	for j := 0; j <= len(b); j++ {
		rows[0][j] = j
	}
	before, last, current := &rows[2], &rows[0], &rows[1]
	for i := 1; i <= len(a); i++ {
		current[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			current[j] = min(last[j]+1, current[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				current[j] = min(current[j], before[j-2]+1)
			}
		}
		before, last, current = last, current, before
	}
	return last[len(b)]
}
