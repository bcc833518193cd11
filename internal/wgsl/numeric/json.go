package numeric

import (
	"encoding/json"
	"math"
	"strconv"
)

// A JSONNumber is a float64 that JSON can carry, with NaN and the infinities as strings.
type JSONNumber float64

// MarshalJSON implements json.Marshaler.
func (n JSONNumber) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(n)) || math.IsInf(float64(n), 0) {
		return json.Marshal(n.String())
	}
	return json.Marshal(float64(n))
}

// String prints as many digits as a float32 has.
func (n JSONNumber) String() string {
	if n == JSONNumber(math.Trunc(float64(n))) && math.Abs(float64(n)) < 1<<32 {
		return strconv.FormatFloat(float64(n), 'f', -1, 64)
	}
	return strconv.FormatFloat(float64(n), 'g', 7, 32)
}

// Short prints at most four digits.
func (n JSONNumber) Short() string { return strconv.FormatFloat(float64(n), 'g', 4, 64) }
