using System.Text.Json;

namespace ApexShop.Commands.Api.Commands;

/// <summary>Where in a body something is wrong, in the names of the body: <c>items[1].quantity</c>, <c>[17].price</c>.</summary>
internal static class JsonPath
{
    /// <summary>The same path from the names of our types.</summary>
    public static string OfMembers(string path) =>
        string.Join('.', path.Split('.').Select(JsonNamingPolicy.CamelCase.ConvertName));

    public static string OfItem(int index) => string.Create(null, stackalloc char[16], $"[{index}]");
}
