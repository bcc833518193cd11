package wgsl

// The results that the front end has reached, as shares of all cases. A change may improve but
// never worsen them.
const (
	agreementCore   = 0.998
	falseAlarmsCore = 0.0013
	agreementAll    = 0.9998
	falseAlarmsAll  = 0.0001
)
