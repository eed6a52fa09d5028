using System.Text.Json;

namespace ApexShop.Commands.Api.Commands;

/// <summary>Paths of errors in a body, in the names of the JSON: <c>items[1].quantity</c>, <c>[17].price</c>.</summary>
internal static class JsonPath
{
    /// <summary>The path from the names of C# members.</summary>
    public static string OfMembers(string path) =>
        string.Join('.', path.Split('.').Select(JsonNamingPolicy.CamelCase.ConvertName));

    public static string OfItem(int index) => string.Create(null, stackalloc char[16], $"[{index}]");
}
