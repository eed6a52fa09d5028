using System.Text.Json;
using System.Text.Json.Serialization;

namespace ApexShop.Operations;

/// <summary>JSON of what operators are told; every contract is listed once.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web)]
[JsonSerializable(typeof(ProjectionStatus))]
[JsonSerializable(typeof(RebuildStatus))]
public sealed partial class OperationsJson : JsonSerializerContext;
