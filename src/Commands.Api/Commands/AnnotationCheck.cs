using System.ComponentModel.DataAnnotations;
using Microsoft.Extensions.Options;
using Microsoft.Extensions.Validation;

namespace ApexShop.Commands.Api.Commands;

/// <summary>Validates values by the annotations of their type, as the framework validates a body.</summary>
internal sealed class AnnotationCheck<T>
{
    private readonly IServiceProvider services;
    private readonly ValidationOptions options;
    private readonly IValidatableInfo? annotations;

    public AnnotationCheck(IServiceProvider services)
    {
        this.services = services;
        options = services.GetRequiredService<IOptions<ValidationOptions>>().Value;
        // Without them the framework would silently skip the validation, so the process must not start.
        if (!options.TryGetValidatableTypeInfo(typeof(T), out annotations) && !typeof(T).IsPrimitive)
            throw new InvalidOperationException($"{typeof(T)} needs [ValidatableType]: no validation is generated.");
    }

    /// <summary>
    /// Reports the errors, up to <see cref="Problem.MaxErrors"/>, each with its path, which begins with that of the
    /// value.
    /// </summary>
    public async ValueTask ValidateAsync(T value, string path, Action<string, string[]> report, CancellationToken ct)
    {
        if (annotations is null) return;
        var context = new ValidateContext
        {
            ValidationOptions = options,
            ValidationContext = new ValidationContext(value!, services, null),
            CurrentValidationPath = path,
        };
        await annotations.ValidateAsync(value, context, ct);
        foreach (var (member, messages) in (context.ValidationErrors ?? []).Take(Problem.MaxErrors))
            report(JsonPath.OfMembers(member), JsonPath.InMessages(member, messages));
    }
}
