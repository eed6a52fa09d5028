using System.Text.Json;
using System.Text.Json.Serialization;
using ApexShop.Commands.Api.Limits;

namespace ApexShop.Commands.Api.Hosting;

/// <summary>How bodies are read: what is not understood, written twice or of another type is refused, never guessed.</summary>
internal static class JsonInput
{
    public static void Apply(JsonSerializerOptions json)
    {
        json.UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow;
        json.AllowDuplicateProperties = false;
        json.MaxDepth = Limit.JsonDepth;
        json.NumberHandling = JsonNumberHandling.Strict;
    }
}
