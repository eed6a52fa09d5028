using System.Text.Json;
using System.Text.Json.Serialization;
using ApexShop.Commands.Api.Limits;

namespace ApexShop.Commands.Api.Hosting;

/// <summary>How bodies are read: unknown members, duplicate members and values of another type are refused.</summary>
internal static class JsonInput
{
    public static void Apply(JsonSerializerOptions json)
    {
        json.UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow;
        json.AllowDuplicateProperties = false;
        json.MaxDepth = FixedLimits.JsonDepth;
        json.NumberHandling = JsonNumberHandling.Strict;
        json.Converters.Add(new ExactDecimalConverter());
    }
}
