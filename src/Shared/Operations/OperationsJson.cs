using System.Text.Json;
using System.Text.Json.Serialization;

namespace ApexShop.Operations;

/// <summary>JSON of what operators are told; every contract is listed once.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web)]
[JsonSerializable(typeof(ProjectionStatus))]
public sealed partial class OperationsJson : JsonSerializerContext;
