using System.ComponentModel.DataAnnotations;
using ApexShop.Commands.Api.Commands;
using Microsoft.Extensions.Options;
using Microsoft.Extensions.Validation;

namespace ApexShop.Commands.Api.Bulk;

/// <summary>
/// Validates each item of a list by its annotations, like a single body, and requires each id to be unique.
/// </summary>
internal sealed class ItemValidator<T>
{
    private readonly Dictionary<int, int> places = [];
    private readonly IServiceProvider services;
    private readonly ValidationOptions options;
    private readonly IValidatableInfo? annotations;

    public ItemValidator(IServiceProvider services)
    {
        this.services = services;
        options = services.GetRequiredService<IOptions<ValidationOptions>>().Value;
        // Without them the framework would silently skip the validation, so the process must not start.
        if (!options.TryGetValidatableTypeInfo(typeof(T), out annotations) && !typeof(T).IsPrimitive)
            throw new InvalidOperationException($"{typeof(T)} needs [ValidatableType]: no validation is generated.");
    }

    public async ValueTask CheckAsync(T item, int index, ItemErrors errors, CancellationToken ct)
    {
        if (annotations is not null) await ValidateAsync(item!, index, errors, ct);
        var (id, path) = item switch
        {
            int self => (self, JsonPath.OfItem(index)),
            IReplacementItem { Id: { } its } => (its, JsonPath.OfItem(index) + ".id"),
            _ => (default(int?), ""),
        };
        if (id is { } known && !places.TryAdd(known, index))
            errors.Add(path, string.Create(null, stackalloc char[64], $"Id {known} occurs at [{places[known]}] too."));
    }

    private async ValueTask ValidateAsync(object item, int index, ItemErrors errors, CancellationToken ct)
    {
        var context = new ValidateContext
        {
            ValidationOptions = options,
            ValidationContext = new ValidationContext(item, services, null),
            CurrentValidationPath = JsonPath.OfItem(index),
        };
        await annotations!.ValidateAsync(item, context, ct);
        foreach (var (path, messages) in context.ValidationErrors ?? [])
        {
            errors.Add(JsonPath.OfMembers(path), JsonPath.InMessages(path, messages));
        }
    }
}
