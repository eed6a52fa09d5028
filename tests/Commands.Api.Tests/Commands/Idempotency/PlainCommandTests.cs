using System.Reflection;
using ApexShop.Commands.Api.Commands;
using ApexShop.Commands.Api.Commands.Idempotency;
using ApexShop.Commands.Api.Operations;
using MediatR;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;

namespace ApexShop.Commands.Api.Tests.Commands.Idempotency;

/// <summary>
/// What a key rests on: a command's JSON tells it apart from every other, and its answer comes back from JSON. A member
/// that JSON does not see would make two requests one.
/// </summary>
public sealed class PlainCommandTests(CommandsApp app) : IClassFixture<CommandsApp>
{
    private static readonly Type[] leaves =
    [
        typeof(string), typeof(int), typeof(long), typeof(decimal), typeof(bool), typeof(DateTimeOffset),
        typeof(DateOnly), typeof(Guid), typeof(byte),
    ];

    private static readonly HashSet<string?> forwarded = [.. ProjectorRoutes.All.Select(route => route.Name)];

    private static List<Type> Commands =>
        [.. typeof(CommandTimer<,>).Assembly.GetTypes().Where(type => AnswerOf(type) is not null)];

    [Fact]
    public void Every_command_of_a_post_or_patch_is_plain_data_and_so_is_its_answer()
    {
        var repeatable = Commands.Where(command => Endpoints("POST", "PATCH").Contains(command.DeclaringType)).ToList();
        repeatable.Count.ShouldBeGreaterThanOrEqualTo(7);

        repeatable.SelectMany(command => Hidden(command, command.FullName!)).ShouldBeEmpty();
        repeatable.SelectMany(
            command => Hidden(AnswerOf(command)!.GetGenericArguments()[0], $"answer of {command.FullName}"))
                .ShouldBeEmpty();
    }

    [Fact]
    public void Every_post_and_patch_sends_a_command_except_those_of_operators() =>
        Endpoints("POST", "PATCH")
            .Except(Commands.Select(command => command.DeclaringType))
            .Select(slice => slice!.Name)
            .ShouldBe(
                ["SeedShop", "CreateWebhook", "RenewWebhookSecret", "TestWebhook", "ReplayUndelivered"],
                ignoreOrder: true);

    [Fact]
    public void Every_command_runs_the_behaviors_in_their_order()
    {
        using var scope = app.Services.CreateScope();
        foreach (var command in Commands)
        {
            var behaviour = typeof(IPipelineBehavior<,>).MakeGenericType(command, AnswerOf(command)!);
            scope.ServiceProvider.GetServices(behaviour).Select(one => one!.GetType().GetGenericTypeDefinition())
                .ShouldBe(
                    [
                        typeof(CommandTimer<,>), typeof(CustomerAuthorization<,>), typeof(IdempotentCommand<,>),
                        typeof(RefusalCheck<,>),
                    ],
                    command.FullName);
        }
    }

    [Fact]
    public void A_member_that_JSON_does_not_see_is_found()
    {
        Hidden(typeof(Hiding), "it").ShouldBe(["it.tags is hidden"]);
        Hidden(typeof(List<Stream>), "it").ShouldNotBeEmpty();
        Hidden(typeof(IReadOnlyList<int?>), "it").ShouldBeEmpty();
    }

    private sealed class Hiding(int given)
    {
        private readonly int tags = given;

        public override string ToString() => $"{tags}";
    }

    private List<Type?> Endpoints(params string[] methods) =>
    [
        .. app.Services.GetRequiredService<EndpointDataSource>().Endpoints
            .Where(endpoint =>
                endpoint.Metadata.GetMetadata<HttpMethodMetadata>()?.HttpMethods.Any(methods.Contains) is true
                    && !forwarded.Contains(endpoint.Metadata.GetMetadata<IEndpointNameMetadata>()?.EndpointName))
            .Select(endpoint => endpoint.Metadata.GetMetadata<MethodInfo>()?.DeclaringType)
            .Select(slice => slice is null ? null : OwnerOfCommand(slice)),
    ];

    // A patch of a resource sends the command of its PUT.
    private static Type OwnerOfCommand(Type slice) =>
        slice.Assembly.GetType($"{slice.Namespace}.{slice.Name.Replace("Patch", "Update", StringComparison.Ordinal)}")
        ?? slice;

    private static Type? AnswerOf(Type command) => command.GetInterfaces()
        .FirstOrDefault(type => type.IsGenericType && type.GetGenericTypeDefinition() == typeof(IRequest<>))
        ?.GetGenericArguments()[0];

    /// <summary>Every field of it is behind a public property, and so on down to numbers and texts.</summary>
    private static IEnumerable<string> Hidden(Type type, string path)
    {
        type = Nullable.GetUnderlyingType(type) ?? type;
        if (leaves.Contains(type) || type.IsEnum) return [];
        if (ItemOf(type) is { } item) return Hidden(item, $"{path}[]");
        if (type.IsInterface
            || type.IsAbstract
            || type.Namespace?.StartsWith("ApexShop.", StringComparison.Ordinal) is not true)
            return [$"{path} is a {type.Name}"];
        return type.GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic).SelectMany(field =>
        {
            var name = field.Name.Split('<', '>') is ["", var property, ..] ? property : field.Name;
            return type.GetProperty(name)?.GetMethod?.IsPublic is true
                ? Hidden(field.FieldType, $"{path}.{name}")
                : [$"{path}.{name} is hidden"];
        });
    }

    private static Type? ItemOf(Type type) =>
        type.IsArray ? type.GetElementType()
        : IsList(type) ? type.GetGenericArguments()[0]
        : null;

    private static bool IsList(Type type) =>
        type.IsGenericType
        && (type.GetGenericTypeDefinition() == typeof(IReadOnlyList<>)
            || type.GetGenericTypeDefinition() == typeof(List<>));
}
