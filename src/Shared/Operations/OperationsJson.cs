using System.Text.Json;
using System.Text.Json.Serialization;

namespace ApexShop.Operations;

/// <summary>JSON of what operators are told; every contract is listed once.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web)]
[JsonSerializable(typeof(ProjectionStatus))]
[JsonSerializable(typeof(BucketChecksum))]
[JsonSerializable(typeof(AggregateCheck))]
[JsonSerializable(typeof(AuditProgress))]
[JsonSerializable(typeof(AuditDifference))]
[JsonSerializable(typeof(AuditSummary))]
[JsonSerializable(typeof(AuditFailure))]
public sealed partial class OperationsJson : JsonSerializerContext;
