package webgpu

// The sections of the specification that have rules for compute.
var (
	atInvalid     = Section{"Invalid Internal Objects & Contagious Invalidity", "invalidity"}
	atUsageScopes = Section{"Synchronization", "programming-model-synchronization"}
	atLimits      = Section{"Limits", "limits"}
	atDescriptors = Section{"Object Descriptors", "object-descriptors"}
	atAdapter     = Section{"GPUAdapter", "gpu-adapter"}
	atBuffers     = Section{"Buffer Creation", "buffer-creation"}
	atMapping     = Section{"Buffer Mapping", "buffer-mapping"}
	atGroupLayout = Section{"Bind Group Layout Creation", "bind-group-layout-creation"}
	atGroup       = Section{"Bind Group Creation", "bind-group-creation"}
	atCompatible  = Section{"Compatibility", "bind-group-compatibility"}
	atLayout      = Section{"Pipeline Layout Creation", "pipeline-layout-creation"}
	atModule      = Section{"Shader Module Creation", "shader-module-creation"}
	atBase        = Section{"Base pipelines", "pipeline-base"}
	atStage       = Section{"GPUProgrammableStage", "gpuprogrammablestage"}
	atPipeline    = Section{"Compute Pipeline Creation", "compute-pipeline-creation"}
	atCommands    = Section{"Command Encoding", "command-encoding"}
	atCopies      = Section{"Buffer Copy Commands", "commands-buffer-copies"}
	atResolve     = Section{"Queries (command encoder)", "command-encoder-queries"}
	atFinish      = Section{"Finalization (command encoder)", "command-encoder-finalization"}
	atSetGroup    = Section{"Bind Groups (programmable passes)", "programmable-passes-bind-groups"}
	atDebug       = Section{"Debug Markers", "debug-markers"}
	atDispatch    = Section{"Dispatch", "compute-pass-encoder-dispatch"}
	atEnd         = Section{"Finalization (compute pass)", "compute-pass-encoder-finalization"}
	atQueue       = Section{"GPUQueue", "gpuqueue"}
	atQuerySet    = Section{"QuerySet Creation", "queryset-creation"}
	atTimestamp   = Section{"Timestamp Query", "timestamp"}
	atScopes      = Section{"Error Scopes", "error-scopes"}
)

// Rules are all the rules that the package checks.
var Rules = []Requirement{
	// Objects in general.
	{"callback-missing", atMapping, "{call} gets no callback.", "Pass a function: the package calls it once the buffer is mapped."},
	{"shader-empty", atModule, "`createShaderModule` gets no text.", "Pass the shader's WGSL."},
	{"argument-missing", atDescriptors, "{call} gets no {what}.", "Pass the {what} that you made before."},
	{"invalid-object", atInvalid, "{object} isn't valid, because the call that made it failed.", "Correct that call first."},
	{"other-device", atInvalid, "{object} belongs to another device.", "Use objects of one device together."},
	{"released-twice", atInvalid, "{object} is released a second time.", "Release each object once: a deferred call and another one are two."},
	{"released", atInvalid, "{object} was released already.", "Release an object after its last use."},

	// Adapters and devices.
	{"device-feature", atAdapter, "The adapter doesn't offer the feature {feature}.", "Ask `hasFeature` of the adapter before you require it."},
	{"device-feature-unknown", atAdapter, "WebGPU has no feature called {feature}.", "{advice}"},
	{"device-limit-unknown", atAdapter, "WebGPU has no limit called {limit}.", "{advice}"},
	{"device-limit", atAdapter, "The adapter allows {needed} for {limit}, and {given} are required.", "Require at most what the adapter's limits say."},
	{"device-alignment", atLimits, "{limit} is an alignment, and {given} isn't a power of two.", "Start from the default limits, and change only those that you need."},
	{"device-second", atAdapter, "This adapter has given a device already.", "Request another adapter for a second device."},

	// Buffers.
	{"buffer-usage-none", atBuffers, "{buffer} is made without a usage.", "List its uses, such as `GPUBufferUsage.STORAGE`."},
	{"buffer-usage-unknown", atBuffers, "{buffer} has a usage flag that WebGPU doesn't know.", "Combine only the flags of GPUBufferUsage."},
	{"buffer-usage-map-read", atBuffers, "{buffer} combines `GPUBufferUsage.MAP_READ` with {others}.", "Copy the result to a second buffer that has only `GPUBufferUsage.MAP_READ` and `GPUBufferUsage.COPY_DST`."},
	{"buffer-usage-map-write", atBuffers, "{buffer} combines `GPUBufferUsage.MAP_WRITE` with {others}.", "Only `GPUBufferUsage.COPY_SRC` may be beside it: write with `writeBuffer`, or copy from a second buffer."},
	{"buffer-size", atBuffers, "{buffer} has {given} bytes, and this device allows {needed}.", "Make several smaller buffers, or require a higher maxBufferSize."},
	{"buffer-mapped-size", atBuffers, "{buffer} is mapped at creation, and its {given} bytes aren't a multiple of 4.", "Round the size up to a multiple of 4."},

	{"buffers-alive", atBuffers, "{given} buffers are alive when {buffer} is made.", "Make each buffer once, and free it after its last use: a loop must not make buffers without end."},
	{"buffers-made", atBuffers, "{given} buffers were made before {buffer}.", "Make each buffer once, before the loop that uses it: a loop must not make buffers without end."},
	{"buffers-bytes", atBuffers, "The buffers that are alive have {given} bytes when {buffer} is made.", "Make each buffer once, and free it after its last use: a loop must not make buffers without end."},

	// Mapping.
	{"map-busy", atMapping, "{buffer} is {state} already.", "Call `unmap` before you map it again."},
	{"map-destroyed", atMapping, "{buffer} was destroyed.", "Map it before you destroy it."},
	{"map-mode", atMapping, "`mapAsync` needs one mode, and gets {mode}.", "Pass `GPUMapMode.READ` or `GPUMapMode.WRITE`."},
	{"map-usage-read", atMapping, "{buffer} can't be mapped for reading: its usage is {usage}.", "Copy it to a buffer with `GPUBufferUsage.MAP_READ` and `GPUBufferUsage.COPY_DST`, and map that one."},
	{"map-usage-write", atMapping, "{buffer} can't be mapped for writing: its usage is {usage}.", "Add `GPUBufferUsage.MAP_WRITE` where you make it, or write with `writeBuffer`."},
	{"map-offset", atMapping, "The mapping begins at byte {given}, and that isn't a multiple of 8.", "Map from a multiple of 8."},
	{"map-size", atMapping, "The mapping has {given} bytes, and that isn't a multiple of 4.", "Map a multiple of 4 bytes."},
	{"map-range", atMapping, "The mapping ends at byte {given}, and {buffer} has {needed} bytes.", "Map at most the buffer's size, in bytes."},
	{"range-unmapped", atMapping, "{buffer} isn't mapped{pending}.", "Call `mapAsync`, and read only once the buffer is mapped: the GPU must finish first."},
	{"range-offset", atMapping, "The range begins at byte {given}, and that isn't a multiple of 8.", "Begin at a multiple of 8."},
	{"range-size", atMapping, "The range has {given} bytes, and that isn't a multiple of 4.", "Ask for a multiple of 4 bytes."},
	{"range-outside", atMapping, "The range ends at byte {given}, and the mapping of {buffer} ends at {needed}.", "Ask for bytes that you have mapped."},
	{"range-before", atMapping, "The range begins at byte {given}, and the mapping of {buffer} begins at {needed}.", "Ask for bytes that you have mapped."},
	{"range-overlap", atMapping, "The range shares bytes with one that you got before from {buffer}.", "Keep the first range, or ask for other bytes."},

	// Bind group layouts.
	{"layout-binding-twice", atGroupLayout, "Two entries of the layout have the binding {binding}.", "Give each entry a number of its own."},
	{"layout-binding-number", atGroupLayout, "The binding {given} is too high: this device allows numbers below {needed}.", "Use low numbers, as in the shader."},
	{"layout-slots", atGroupLayout, "The layout has {given} {what}, and this device allows {needed}.", "Put several arrays into one buffer, or require a higher limit."},
	{"layout-entry-type", atGroupLayout, "The entry for binding {binding} doesn't say what it binds.", "Set the type of its buffer."},
	{"layout-visibility", atGroupLayout, "The entry for binding {binding} has a visibility that WebGPU doesn't know.", "Use `GPUShaderStage.COMPUTE`."},
	{"layout-vertex-storage", atGroupLayout, "The entry for binding {binding} lets a vertex shader write to a buffer.", "Use `GPUShaderStage.COMPUTE` alone."},

	// Bind groups.
	{"group-entry-twice", atGroup, "Two entries have the binding {binding}.", "Give each entry the number of its @binding in the shader."},
	{"group-entry-unknown", atGroup, "There is an entry for binding {binding}, but {layout} has {bindings}.{unused}", "Give each entry the number of its @binding in the shader."},
	{"group-entry-missing", atGroup, "The entry for binding {binding} is missing{variable}.", "Add an entry with a buffer for it."},
	{"group-entry-resource", atGroup, "The entry for binding {binding} has no buffer.", "Set its buffer."},
	{"group-entry-empty", atGroup, "The entry for binding {binding} binds no bytes of {buffer}.", "Bind at least one element; sizes are in bytes."},
	{"group-entry-range", atGroup, "The entry for binding {binding} ends at byte {given}, and {buffer} has {needed} bytes.", "Bind bytes within the buffer."},
	{"group-entry-size", atGroup, "The entry for binding {binding} has {given} bytes, and the shader needs {needed}{variable}.", "Count bytes with the gaps of WGSL's layout: an f32 has 4, a vec3 starts at a multiple of 16."},
	{"group-usage-uniform", atGroup, "{buffer} is bound as a uniform at binding {binding}, but its usage is {usage}.", "{declared} `GPUBufferUsage.UNIFORM` where you make it."},
	{"group-usage-storage", atGroup, "{buffer} is bound as storage at binding {binding}, but its usage is {usage}.", "{declared} `GPUBufferUsage.STORAGE` where you make it."},
	{"group-uniform-limit", atGroup, "The entry for binding {binding} has {given} bytes, and a uniform may have {needed}.", "Bind large data as storage."},
	{"group-storage-limit", atGroup, "The entry for binding {binding} has {given} bytes, and this device binds at most {needed}.", "Bind a part of the buffer, or require a higher maxStorageBufferBindingSize."},
	{"group-storage-multiple", atGroup, "The entry for binding {binding} has {given} bytes, and that isn't a multiple of 4.", "Bind whole elements."},
	{"group-uniform-offset", atGroup, "The entry for binding {binding} begins at byte {given}, and that isn't a multiple of {needed}.", "Begin each uniform at a multiple of {needed} bytes."},
	{"group-storage-offset", atGroup, "The entry for binding {binding} begins at byte {given}, and that isn't a multiple of {needed}.", "Begin each part at a multiple of {needed} bytes."},

	// Pipeline layouts.
	{"pipeline-layout-groups", atLayout, "The layout has {given} bind groups, and this device allows {needed}.", "Put more bindings into one group."},
	{"pipeline-layout-slots", atLayout, "The layout has {given} {what} in all groups, and this device allows {needed}.", "Put several arrays into one buffer, or require a higher limit."},
	{"pipeline-layout-auto", atLayout, "The layout of group {group} comes from a pipeline with an automatic layout.", "Make bind group layouts yourself to share them between pipelines."},

	// Shaders and pipelines.
	{"shader-mistake", atModule, "{shader} doesn't compile: {message}", "Correct the shader."},
	{"shader-feature", atModule, "{shader} enables {extension}, but the device was requested without the feature {feature}.", "{advice}"},
	{"layout-index", atBase, "`getBindGroupLayout` gets the group {given}, and this device allows groups below {needed}.", "Pass the number of the shader's @group, usually 0."},
	{"pipeline-entry-point", atStage, "{shader} has no compute function called {entry}.", "Pass the name of the function marked @compute: {entries}."},
	{"pipeline-entry-none", atStage, "The pipeline doesn't say which function of {shader} to start.", "Set `entryPoint` to the name of the function marked @compute: {entries}."},
	{"pipeline-entry-choice", atStage, "{shader} has {given} compute functions, and the pipeline doesn't say which.", "Set `entryPoint` to one of {entries}."},
	{"pipeline-binding-missing", atStage, "The shader uses {variable} at @group({group}) @binding({binding}), but the layout has no such binding.", "Add an entry to the bind group layout."},
	{"pipeline-binding-visibility", atStage, "The shader uses {variable} at @group({group}) @binding({binding}), but the layout's entry isn't visible to a compute shader: it says {visible}.", "Set its visibility to `GPUShaderStage.COMPUTE`."},
	{"pipeline-binding-type", atStage, "The shader declares {variable} at @binding({binding}) as var<{space}>, but the layout says {type}.", "Write {expected} in the layout."},
	{"pipeline-binding-size", atStage, "The shader needs {needed} bytes for {variable} at @binding({binding}), but the layout promises {given}.", "Raise `minBindingSize`, or leave it out."},
	{"pipeline-creation", atStage, "No pipeline can be made from {shader}: {message}", "Correct the shader."},
	{"pipeline-constant-unknown", atStage, "The pipeline sets the constant `{constant}`, but {shader} has no override with this key.", "{keys}"},
	{"pipeline-constant", atStage, "{message}", "{hint}"},
	{"pipeline-workgroup-memory", atPipeline, "The workgroup variables of {shader} have {given} bytes, and this device allows {needed}.", "Use smaller arrays, or require a higher maxComputeWorkgroupStorageSize."},
	{"pipeline-invocations", atPipeline, "A workgroup of {shader} has {given} invocations, and this device allows {needed}.", "Choose a smaller @workgroup_size, or require a higher maxComputeInvocationsPerWorkgroup."},
	{"pipeline-workgroup-size", atPipeline, "A workgroup of {shader} has {given} invocations in {axis}, and this device allows {needed}.", "Choose a smaller @workgroup_size, or require a higher limit."},

	// Encoders.
	{"encoder-finished", atCommands, "{call} is called on {object} after `finish`.", "Make a new encoder for each command buffer."},
	{"encoder-locked", atCommands, "{call} is called on {object} while a compute pass is open.", "Call `end` on the pass first."},
	{"pass-ended", atCommands, "{call} is called on {object} after `end`.", "Record it before `end`, or begin another pass."},
	{"times-feature", atTimestamp, "The pass writes timestamps, but the device was requested without timestamp-query.", "Require the feature where you request the device."},
	{"times-type", atTimestamp, "{object} doesn't hold timestamps.", "Make it with the type timestamp."},
	{"times-none", atTimestamp, "The pass has a query set for timestamps, but no query to write.", "Say which query gets the time of the beginning or the end."},
	{"times-same", atTimestamp, "The beginning and the end of the pass go to the same query, {given}.", "Use two queries."},
	{"times-index", atTimestamp, "The query {given} is too high: {object} has {needed}.", "Count queries from 0."},
	{"copy-exchanged", atCopies, "The copy goes from {from} to {to}: its source and its destination are exchanged.", "Name the buffer that the shader writes first, and the one that you map after it."},
	{"copy-usage-source", atCopies, "{buffer} is copied from, but its usage is {usage}.", "Add `GPUBufferUsage.COPY_SRC` where you make it."},
	{"copy-usage-destination", atCopies, "{buffer} is copied to, but its usage is {usage}.", "Add `GPUBufferUsage.COPY_DST` where you make it."},
	{"copy-multiple", atCopies, "The {what} of the copy is {given}, and that isn't a multiple of 4.", "Copy whole elements; sizes and offsets are in bytes."},
	{"copy-source-range", atCopies, "The copy reads up to byte {given}, and {buffer} has {needed} bytes.", "Copy at most the buffer's size, in bytes."},
	{"copy-destination-range", atCopies, "The copy writes up to byte {given}, and {buffer} has {needed} bytes.", "Make both buffers large enough, in bytes."},
	{"copy-same", atCopies, "{buffer} is copied to itself.", "Copy through a second buffer."},
	{"clear-usage", atCopies, "{buffer} is cleared, but its usage is {usage}.", "Add `GPUBufferUsage.COPY_DST` where you make it."},
	{"clear-multiple", atCopies, "The {what} of the clear is {given}, and that isn't a multiple of 4.", "Clear whole elements; sizes and offsets are in bytes."},
	{"clear-range", atCopies, "The clear ends at byte {given}, and {buffer} has {needed} bytes.", "Clear bytes within the buffer."},
	{"resolve-usage", atResolve, "The queries are resolved to {buffer}, but its usage is {usage}.", "Add `GPUBufferUsage.QUERY_RESOLVE` where you make it."},
	{"resolve-queries", atResolve, "The queries end at {given}, and {object} has {needed}.", "Resolve queries that the set has."},
	{"resolve-offset", atResolve, "The queries go to byte {given}, and that isn't a multiple of 256.", "Resolve to a multiple of 256 bytes."},
	{"resolve-range", atResolve, "The queries end at byte {given}, and {buffer} has {needed} bytes.", "Each query needs 8 bytes: give the buffer enough where you make it."},
	{"finish-pass-open", atFinish, "{object} is finished while a compute pass is open.", "Call `end` on the pass before `finish`."},
	{"debug-open", atDebug, "{object} ends with {given} open debug groups.", "Call `popDebugGroup` for each `pushDebugGroup`."},
	{"debug-none", atDebug, "`popDebugGroup` is called on {object}, which has no open debug group.", "Call `pushDebugGroup` first."},

	// Compute passes.
	{"group-index", atSetGroup, "`setBindGroup` gets the group {given}, and this device allows groups below {needed}.", "Pass the number of the shader's @group, usually 0."},
	{"dynamic-count", atSetGroup, "`setBindGroup` gets {given} dynamic offsets, and {object} has {needed} bindings with such offsets.", "Pass one offset for each binding with `hasDynamicOffset`."},
	{"dynamic-alignment", atSetGroup, "The dynamic offset for binding {binding} is {given}, and that isn't a multiple of {needed}.", "Use multiples of {needed}."},
	{"dynamic-range", atSetGroup, "With its dynamic offset, binding {binding} ends at byte {given}, and {buffer} has {needed} bytes.", "Keep the range within the buffer."},
	{"dispatch-pipeline", atDispatch, "A dispatch in {object} has no pipeline.", "Call `setPipeline` before the dispatch."},
	{"dispatch-group-missing", atSetGroup, "The dispatch needs a bind group {group}, and none is set.", "Call `setBindGroup` with the number {group} before the dispatch."},
	{"dispatch-group-layout", atCompatible, "The bind group {group} has another layout than the pipeline: {difference}.", "Make the bind group with the layout that the pipeline has."},
	{"dispatch-group-auto", atCompatible, "The bind group {group} was made with the automatic layout of another pipeline.", "Make it with `getBindGroupLayout` of the pipeline that you dispatch."},
	{"dispatch-binding-size", atSetGroup, "Binding {binding} has {given} bytes, and the shader needs {needed}{variable}.", "Count bytes with the gaps of WGSL's layout: an f32 has 4, a vec3 starts at a multiple of 16."},
	{"dispatch-alias", atSetGroup, "{buffer} is bound twice in one dispatch, at bindings {first} and {second}, and the shader may write to it.", "Use two buffers: one to read, one to write."},
	{"dispatch-usages", atUsageScopes, "{buffer} is bound for writing and for {other} in one dispatch.", "Use two buffers, or two dispatches."},
	{"dispatch-limit", atDispatch, "The dispatch has {given} workgroups in {axis}, and this device allows {needed}.", "Use several dispatches, or give each workgroup more work. x and y together help only a shader that reads both."},
	{"indirect-usage", atDispatch, "The number of workgroups comes from {buffer}, but its usage is {usage}.", "Add `GPUBufferUsage.INDIRECT` where you make it."},
	{"indirect-range", atDispatch, "The three numbers of workgroups end at byte {given}, and {buffer} has {needed} bytes.", "Leave 12 bytes for them."},
	{"indirect-offset", atDispatch, "The numbers of workgroups begin at byte {given}, and that isn't a multiple of 4.", "Begin at a multiple of 4."},
	{"pass-end-again", atEnd, "`end` is called on {object} a second time.", "Call it once for each pass."},

	// The queue.
	{"write-multiple", atQueue, "`writeBuffer` gets {given} bytes, and that isn't a multiple of 4.", "Write whole elements, or pad the data."},
	{"write-unavailable", atQueue, "{buffer} is {state}, so the queue can't write to it.", "Unmap it first, and destroy it last."},
	{"write-usage", atQueue, "`writeBuffer` writes to {buffer}, but its usage is {usage}.", "Add `GPUBufferUsage.COPY_DST` where you make it."},
	{"write-offset", atQueue, "`writeBuffer` begins at byte {given}, and that isn't a multiple of 4.", "Begin at a multiple of 4; offsets are in bytes."},
	{"write-range", atQueue, "`writeBuffer` writes up to byte {given}, and {buffer} has {needed} bytes.", "Make the buffer as large as the data, in bytes."},
	{"submit-twice", atQueue, "The same command buffer is submitted twice.", "Record the commands again for a second run."},
	{"submit-used", atQueue, "This command buffer was submitted before, at {place}.", "Record the commands again for a second run."},
	{"submit-mapped", atQueue, "The submission uses {buffer}, which is {state}.", "Unmap it before the submission."},
	{"submit-pending", atQueue, "The submission uses {buffer}, which `mapAsync` is about to map.", "Submit first, and then map: the mapping waits for all work that was submitted before it."},
	{"submit-destroyed", atQueue, "The submission uses {buffer}, which was destroyed.", "Destroy it after its last use."},

	// Queries and error scopes.
	{"query-feature", atQuerySet, "The query set holds timestamps, but the device was requested without timestamp-query.", "Require the feature where you request the device."},
	{"query-count", atQuerySet, "The query set has {given} queries, and WebGPU allows {needed}.", "Use several sets."},
	{"scope-none", atScopes, "`popErrorScope` is called without an open error scope.", "Call `pushErrorScope` first."},
}
