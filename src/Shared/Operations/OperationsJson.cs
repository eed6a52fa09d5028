using System.Text.Json;
using System.Text.Json.Serialization;

namespace ApexShop.Operations;

/// <summary>The JSON contracts of the operator endpoints.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web)]
[JsonSerializable(typeof(ProjectionStatus))]
[JsonSerializable(typeof(BucketChecksum))]
[JsonSerializable(typeof(AggregateCheck))]
[JsonSerializable(typeof(AuditProgress))]
[JsonSerializable(typeof(AuditDifference))]
[JsonSerializable(typeof(AuditSummary))]
[JsonSerializable(typeof(AuditFailure))]
[JsonSerializable(typeof(Dictionary<string, long>))]
[JsonSerializable(typeof(RebuildStatus))]
[JsonSerializable(typeof(AggregateHeal))]
[JsonSerializable(typeof(ParkedList))]
[JsonSerializable(typeof(ParkedEvents))]
[JsonSerializable(typeof(ParkedReplay))]
[JsonSerializable(typeof(ParkedReplays))]
[JsonSerializable(typeof(ParkedDiscard))]
[JsonSerializable(typeof(DeadLetterList))]
[JsonSerializable(typeof(DeadLetter))]
[JsonSerializable(typeof(DeadLetterReplay))]
[JsonSerializable(typeof(DeadLetterReplays))]
public sealed partial class OperationsJson : JsonSerializerContext;
